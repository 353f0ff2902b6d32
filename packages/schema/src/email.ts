export const MAX_EMAIL_LENGTH = 254;

export type EmailFault = 'missing' | 'no-at' | 'no-name' | 'no-ending' | 'has-space' | 'malformed' | 'too-long';

const FAULT_TEXTS: Record<EmailFault, string> = {
  missing: 'Enter your email address',
  'no-at': 'The address needs an @, as in name@company.co.uk',
  'no-name': 'The address needs a name before the @, as in name@company.co.uk',
  'no-ending': 'The address needs an ending, as in name@company.co.uk',
  'has-space': 'An address has no spaces in it',
  malformed: 'Invalid email',
  'too-long': `An address has at most ${MAX_EMAIL_LENGTH} characters`,
};

/** The address as it is kept: trimmed, its domain in lower case, everything else as typed. */
export function tidyEmail(typed: string): string {
  const trimmed = typed.trim();
  const at = trimmed.lastIndexOf('@');
  return at < 0 ? trimmed : trimmed.slice(0, at + 1) + trimmed.slice(at + 1).toLowerCase();
}

/**
 * What keeps a tidied address from being one, or null. Deliberately generous (any script, any ending):
 * refusing a real address loses a lead, while a wrong one is only refused later by the newsletter.
 */
export function findEmailFault(email: string): EmailFault | null {
  if (email === '') return 'missing';
  if (email.length > MAX_EMAIL_LENGTH) return 'too-long';
  if (/\s/u.test(email)) return 'has-space';
  const at = email.lastIndexOf('@');
  if (at < 0) return 'no-at';
  if (at === 0) return 'no-name';
  const domain = email.slice(at + 1);
  if (!domain.includes('.') || domain.endsWith('.')) return 'no-ending';
  const isPlainName = !/[\p{Cc}\p{Cs}"(),:;<>@[\\\]]/u.test(email.slice(0, at));
  const isDomain = domain
    .split('.')
    .every((label) => /^[\p{L}\p{N}\p{M}](?:[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?$/u.test(label));
  const hasEnding = /\.[\p{L}\p{M}][\p{L}\p{N}\p{M}-]+$/u.test(domain) || /\.\p{Script=Han}+$/u.test(domain);
  return isPlainName && isDomain && hasEnding ? null : 'malformed';
}

/** The sentence a person reads about a fault. */
export function describeEmailFault(fault: EmailFault): string {
  return FAULT_TEXTS[fault];
}
