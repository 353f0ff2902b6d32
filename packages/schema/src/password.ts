/** The rules for a password that a person chooses. Shared, so that the form says the same as the API. */

const MIN_PASSWORD = 12;

/**
 * What common passwords are made of: words, names and keyboard rows from the published lists of leaked passwords. A
 * password that is little more than these, with digits and signs, is guessed first.
 */
const COMMON = (
  'password passwort passphrase pass word motdepasse contrasena senha parola wachtwoord ' +
  'welcome bienvenue willkommen hello admin administrator operator user login guest root master superuser test tester ' +
  'testing default temp temporary changeme change letmein access secret private security secure system server manager ' +
  'qwertyuiop qwerty qwertz azerty asdfghjkl asdfgh asdf zxcvbnm zxcvbn qazwsx qazwsxedc wsxedc edcrfv onetwothree ' +
  'abcdefghijklmnopqrstuvwxyz abcdefgh abcdef abcd abc xyz iloveyou loveyou love lover lovely forever ' +
  'monkey dragon football baseball basketball soccer hockey golfer tennis sunshine princess shadow superman batman ' +
  'spiderman starwars pokemon trustno whatever freedom computer internet google facebook linkedin apple samsung ' +
  'summer winter spring autumn january february march april june july august september october november december ' +
  'monday tuesday wednesday thursday friday saturday sunday london england britain liverpool chelsea arsenal ' +
  'manchester united city michael jennifer jessica ashley daniel charlie thomas jordan hunter andrew george harley ' +
  'killer cheese pepper ginger cookie butter banana orange purple yellow silver golden flower garden mother father ' +
  'family friend friends angel angels jesus christ blessed faith heaven money million business company office ' +
  'newsletter liquidation ledger leads beehiiv stripe please nothing nopassword mypassword thisis the my is and you'
)
  .split(' ')
  .sort((a, b) => b.length - a.length);

/** Whole passphrases that are as well known. */
const KNOWN = [
  'correcthorsebatterystaple',
  'thequickbrownfox',
  'tobeornottobe',
  'maytheforcebewithyou',
  'neverguessme',
];

/** Years, and digits in a row or all alike. */
const DIGIT_ROW = /(?:19|20)\d\d|0?123456?7?8?9?0?|0?987654?3?2?1?|(\d)\1{2,}/g;

const NO_SIGN = /[^\p{Letter}\p{Number}]/gu;

/** Fewer characters than this beside the common parts are no protection. */
const MIN_OWN_CHARS = 6;
const MIN_DIFFERENT_CHARS = 5;

const SIGN_LETTERS: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/** Returns what is wrong with a new password, as a sentence for the person who chose it, or null. Pure. */
export function findPasswordFault(password: string, username: string): string | null {
  if (Array.from(password).length < MIN_PASSWORD) return `Use at least ${MIN_PASSWORD} characters.`;
  return isCommon(password.toLowerCase(), username.toLowerCase())
    ? 'This password is easy to guess: it is made of common words, names or rows of keys. Choose another.'
    : null;
}

function isCommon(password: string, username: string): boolean {
  if (new Set(password).size < MIN_DIFFERENT_CHARS || isRepeated(password)) return true;
  // p4ssw0rd, with or without digits and signs around it.
  const spelled = password
    .replaceAll(/^[^\p{Letter}@$]+|[^\p{Letter}@$]+$/gu, '')
    .replaceAll(/[013457@$!]/g, (sign) => SIGN_LETTERS[sign] ?? sign);
  const name = username.replaceAll(NO_SIGN, '');
  const parts = name.length >= 3 ? [name, ...COMMON] : COMMON;
  return [password, spelled].some((text) => {
    const plain = text.replaceAll(NO_SIGN, '');
    const own = parts.reduce((rest, part) => rest.replaceAll(part, ''), plain).replaceAll(DIGIT_ROW, '');
    return own.length < MIN_OWN_CHARS || KNOWN.some((known) => plain.includes(known));
  });
}

/** True for one short piece again and again. */
function isRepeated(text: string): boolean {
  return /^(.{1,6})\1+.{0,5}$/u.test(text);
}
