export const MAX_EMAIL_LENGTH = 254;

/** The rest of the sentence that begins with the specified "Invalid email". */
const WRONG = {
  'too-long': `It must have at most ${MAX_EMAIL_LENGTH} characters`,
  'has-space': 'It has a space',
  'no-at': 'It needs an @, as in name@company.co.uk',
  'many-ats': 'It has more than one @',
  'no-name': 'It needs a name before the @, as in name@company.co.uk',
  'no-domain': 'It needs a domain after the @, as in name@company.co.uk',
  'has-comma': 'After the @ it has a comma instead of a dot',
  'no-ending': 'It needs an ending, as in name@company.co.uk',
  'bad-name': 'Before the @ it has a character that no address has',
  'bad-domain': 'Check the part after the @',
  'bad-ending': 'Check its ending, as in name@company.co.uk',
};

export type EmailError = 'missing' | keyof typeof WRONG;

/** Removes characters without a width, such as those that a copy from a document adds. */
export const withoutInvisible = (text: string) =>
  text.replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '');

/**
 * Returns the email as stored: trimmed, without invisible characters, its domain in lower case,
 * everything else as typed.
 */
export function tidyEmail(typed: string): string {
  const trimmed = withoutInvisible(typed).trim();
  const at = trimmed.lastIndexOf('@');
  return at < 0 ? trimmed : trimmed.slice(0, at + 1) + normaliseEmail(trimmed.slice(at + 1));
}

/**
 * Returns a tidied email in lower case, as it is compared and sent (rule 1.3a). The database's
 * `normalised_email` does the same. JavaScript makes two letters of `İ`, and writes a final `Σ`
 * differently, so both are replaced first.
 */
export const normaliseEmail = (email: string) =>
  email.replaceAll('İ', 'i').replaceAll('Σ', 'σ').toLowerCase();

/** Returns true if two tidied emails belong to one person. Upper and lower case do not count. */
export const isSameEmail = (one: string, other: string) =>
  normaliseEmail(one) === normaliseEmail(other);

/**
 * Returns the error of a tidied email, or null. Deliberately lenient (any script, any ending),
 * because refusing a real email loses a lead. Beehiiv rejects a wrong email later.
 */
export function findEmailError(email: string): EmailError | null {
  if (email === '') return 'missing';
  if (email.length > MAX_EMAIL_LENGTH) return 'too-long';
  if (/\s/u.test(email)) return 'has-space';
  const at = email.lastIndexOf('@');
  if (at < 0) return 'no-at';
  if (email.indexOf('@') < at) return 'many-ats';
  if (at === 0) return 'no-name';
  const domain = email.slice(at + 1);
  if (domain === '') return 'no-domain';
  if (domain.includes(',')) return 'has-comma';
  if (!domain.includes('.') || domain.endsWith('.')) return 'no-ending';
  if (/[\p{Cc}\p{Cs}"(),:;<>@[\\\]]/u.test(email.slice(0, at))) return 'bad-name';
  const isDomain = domain
    .split('.')
    .every((label) => /^[\p{L}\p{N}\p{M}](?:[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?$/u.test(label));
  if (!isDomain) return 'bad-domain';
  const hasEnding =
    /\.[\p{L}\p{M}][\p{L}\p{N}\p{M}-]+$/u.test(domain) || /\.\p{Script=Han}+$/u.test(domain);
  return hasEnding ? null : 'bad-ending';
}

export function toEmailErrorText(error: EmailError): string {
  return error === 'missing' ? 'Enter an email address' : `Invalid email. ${WRONG[error]}`;
}
