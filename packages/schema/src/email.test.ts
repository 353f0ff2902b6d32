import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  findEmailError,
  isSameEmail,
  normaliseEmail,
  tidyEmail,
  toEmailErrorText,
} from './email.ts';

test.each([
  'ada@reader.example',
  'a+b.c@x.co.uk',
  "o'neill@x.io",
  'jürgen@müller.de',
  '用户@例子.公司',
  'a@xn--mller-kva.de',
  'a@b.museum',
  '1@2.com',
])('the email %s is accepted', (email) => {
  expect(findEmailError(email)).toBeNull();
});

test.each([
  ['', 'missing'],
  ['ada', 'no-at'],
  ['@x.io', 'no-name'],
  ['ada@northgate', 'no-ending'],
  ['ada@x.', 'no-ending'],
  ['ada lovelace@x.io', 'has-space'],
  ['ada@', 'no-domain'],
  ['ada@@x', 'many-ats'],
  ['ada@@x.io', 'many-ats'],
  ['ada@x..io', 'bad-domain'],
  ['ada@-x.io', 'bad-domain'],
  ['ada@1.2.3.4', 'bad-ending'],
  ['"a"@x.io', 'bad-name'],
  [`${'a'.repeat(250)}@x.io`, 'too-long'],
  ['a,b@x.io', 'bad-name'],
  ['jane@gmail,com', 'has-comma'],
] as const)('the error of the email %j is %s', (email, error) => {
  expect(findEmailError(email)).toBe(error);
});

/** The condition that holds for an email with each error. */
const TRUE_OF: Record<
  NonNullable<ReturnType<typeof findEmailError>>,
  (email: string) => boolean
> = {
  missing: (email) => email === '',
  'too-long': (email) => email.length > 254,
  'has-space': (email) => /\s/u.test(email),
  'no-at': (email) => !email.includes('@'),
  'many-ats': (email) => email.split('@').length > 2,
  'no-name': (email) => email.startsWith('@'),
  'no-domain': (email) => email.endsWith('@'),
  'has-comma': (email) => /@[^@]*,/u.test(email),
  'no-ending': (email) => /@(?:[^.]*|.*\.)$/u.test(email),
  'bad-name': (email) => /[^\w.]+.*@/u.test(email),
  'bad-domain': (email) => /@(?:\.|.*(?:[^\w.]|\.\.|_))/u.test(email),
  'bad-ending': (email) => /(?:\.[^.]|\d[^.]*)$/u.test(email),
};

test('the description of an error begins with "Invalid email" and names the error', () => {
  const typed = fc.string({
    unit: fc.constantFrom('a', 'B', '1', '@', '.', ',', ' ', '-', '_', '"', '(', 'é'),
  });
  fc.assert(
    fc.property(
      fc.oneof(
        typed,
        fc.tuple(typed, typed).map((parts) => parts.join('@')),
      ),
      (text) => {
        const email = tidyEmail(text);
        const error = findEmailError(email);
        if (error === null) return;
        expect(TRUE_OF[error](email), `${error}: ${email}`).toBe(true);
        if (error !== 'missing') expect(toEmailErrorText(error)).toMatch(/^Invalid email\. /u);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('a tidied email stays as it is when it is tidied again', () => {
  expect(tidyEmail(tidyEmail(' A@B.Co '))).toBe('A@b.co');
});

test.each([
  ['pri\u200Bya@gmail.com', 'priya@gmail.com'],
  ['\u202Epriya@gmail.com\u202C', 'priya@gmail.com'],
  ['\uFEFF priya@gmail.com \u2060', 'priya@gmail.com'],
  ['priya@gm\u00ADail.com', 'priya@gmail.com'],
])('invisible characters are removed from %j', (typed, tidied) => {
  expect(tidyEmail(typed)).toBe(tidied);
});

test('each capital has one small letter, wherever it is', () => {
  expect(tidyEmail('İNFO@FİRMA.COM')).toBe('İNFO@firma.com');
  expect(normaliseEmail('İNFO@firma.com')).toBe('info@firma.com');
  expect(normaliseEmail('ΝΙΚΟΣ@ΟΔΟΣ.gr')).toBe('νικοσ@οδοσ.gr');
  expect(isSameEmail('ΝΙΚΟΣ@x.gr', 'Νικοσ@x.gr')).toBe(true);
});
