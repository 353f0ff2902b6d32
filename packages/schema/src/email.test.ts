import { describe, expect, test } from 'vitest';
import { findEmailFault, tidyEmail } from './email.ts';

describe('findEmailFault', () => {
  test.each([
    'ada@reader.example',
    'a+b.c@x.co.uk',
    "o'neill@x.io",
    'jürgen@müller.de',
    '用户@例子.公司',
    'a@xn--mller-kva.de',
    'a@b.museum',
    '1@2.com',
  ])('takes %s', (email) => {
    expect(findEmailFault(email)).toBeNull();
  });

  test.each([
    ['', 'missing'],
    ['ada', 'no-at'],
    ['@x.io', 'no-name'],
    ['ada@northgate', 'no-ending'],
    ['ada@x.', 'no-ending'],
    ['ada lovelace@x.io', 'has-space'],
    ['ada@@x.io', 'bad-name'],
    ['ada@x..io', 'bad-domain'],
    ['ada@-x.io', 'bad-domain'],
    ['ada@1.2.3.4', 'bad-ending'],
    ['"a"@x.io', 'bad-name'],
    [`${'a'.repeat(250)}@x.io`, 'too-long'],
    ['a,b@x.io', 'bad-name'],
    ['jane@gmail,com', 'has-comma'],
  ] as const)('finds in %j: %s', (email, fault) => {
    expect(findEmailFault(email)).toBe(fault);
  });
});

describe('tidyEmail', () => {
  test('is idempotent', () => {
    expect(tidyEmail(tidyEmail(' A@B.Co '))).toBe('A@b.co');
  });
});
