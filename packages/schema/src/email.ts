export const MAX_EMAIL_LENGTH = 254;

const FAULT_TEXTS = {
  missing: 'Enter your email address',
  'no-at': 'The address needs an @, as in name@company.co.uk',
  'no-name': 'The address needs a name before the @, as in name@company.co.uk',
  'no-ending': 'The address needs an ending, as in name@company.co.uk',
  'has-space': 'The address must not contain spaces',
  'has-comma': 'Invalid email. After the @ it has a comma: did you mean a dot?',
  'bad-name': 'Invalid email. Before the @ it has a character that no address has',
  'bad-domain': 'Invalid email. Check the part after the @',
  'bad-ending': 'Invalid email. Check its ending, as in name@company.co.uk',
  'too-long': `The address must have at most ${MAX_EMAIL_LENGTH} characters`,
};

export type EmailFault = keyof typeof FAULT_TEXTS;

/** Returns the address as stored: trimmed, its domain in lower case, everything else as typed. */
export function tidyEmail(typed: string): string {
  const trimmed = typed.trim();
  const at = trimmed.lastIndexOf('@');
  return at < 0 ? trimmed : trimmed.slice(0, at + 1) + trimmed.slice(at + 1).toLowerCase();
}

/**
 * Returns what is wrong with a tidied address, or null. Deliberately lenient (any script, any ending): refusing a real
 * address loses a lead, whereas Beehiiv rejects a wrong one later.
 */
export function findEmailFault(email: string): EmailFault | null {
  if (email === '') return 'missing';
  if (email.length > MAX_EMAIL_LENGTH) return 'too-long';
  if (/\s/u.test(email)) return 'has-space';
  const at = email.lastIndexOf('@');
  if (at < 0) return 'no-at';
  if (at === 0) return 'no-name';
  const domain = email.slice(at + 1);
  if (domain.includes(',')) return 'has-comma';
  if (!domain.includes('.') || domain.endsWith('.')) return 'no-ending';
  if (/[\p{Cc}\p{Cs}"(),:;<>@[\\\]]/u.test(email.slice(0, at))) return 'bad-name';
  const isDomain = domain
    .split('.')
    .every((label) => /^[\p{L}\p{N}\p{M}](?:[\p{L}\p{N}\p{M}-]*[\p{L}\p{N}\p{M}])?$/u.test(label));
  if (!isDomain) return 'bad-domain';
  const hasEnding = /\.[\p{L}\p{M}][\p{L}\p{N}\p{M}-]+$/u.test(domain) || /\.\p{Script=Han}+$/u.test(domain);
  return hasEnding ? null : 'bad-ending';
}

/** Returns the message shown for a fault. */
export function describeEmailFault(fault: EmailFault): string {
  return FAULT_TEXTS[fault];
}
