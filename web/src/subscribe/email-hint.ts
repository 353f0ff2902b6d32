import { findEmailError, tidyEmail, withoutInvisible } from '@site/schema/email';
import { POPULAR_DOMAINS } from '@zootools/email-spell-checker';

/** Domains our subscribers use that are missing from the library's list. */
const FURTHER_DOMAINS = [
  'mail.com',
  'email.com',
  'hotmail.com',
  'hotmail.co.uk',
  'outlook.com',
  'live.com',
  'live.co.uk',
  'yahoo.com',
  'yahoo.co.uk',
  'virginmedia.com',
  'talktalk.net',
  'ntlworld.com',
  'blueyonder.co.uk',
  'fastmail.com',
];

/** Leaves out names of up to three letters, because too many real domains are one slip away. */
const COMMON_DOMAINS = [...POPULAR_DOMAINS, ...FURTHER_DOMAINS].filter(
  (domain) => domain.indexOf('.') > 3,
);

/**
 * Suggests the intended email if it has invisible characters, if commas or dots after the @ are
 * mistyped, or if the domain is one slip away from a common domain. Returns null otherwise. Only a
 * suggestion, because a company's own domain may look like a slip.
 */
export function suggestEmail(typed: string): string | null {
  const tidied = tidyEmail(typed);
  const email = findEmailError(tidied) === null ? tidied : mendDots(tidied);
  if (findEmailError(email)) return null;
  const at = email.lastIndexOf('@') + 1;
  const domain = email.slice(at);
  const meant = COMMON_DOMAINS.find((common) => isOneSlip(domain, common));
  if (meant !== undefined && !COMMON_DOMAINS.includes(domain)) return email.slice(0, at) + meant;
  return email === tidied && withoutInvisible(typed) === typed ? null : email;
}

const mendDots = (email: string) =>
  email.replace(/@[^@]*$/, (domain) => domain.replace(/[,.]+/g, '.').replace(/\.$/, ''));

/**
 * Returns true if two words differ by one slip: a missing, extra or wrong letter, or two neighbours
 * swapped.
 */
function isOneSlip(typed: string, meant: string): boolean {
  const shorter = Math.min(typed.length, meant.length);
  let start = 0;
  while (start < shorter && typed[start] === meant[start]) start += 1;
  let end = 0;
  while (end < shorter - start && typed.at(-1 - end) === meant.at(-1 - end)) end += 1;
  const [one, other] = [typed, meant].map((word) => word.slice(start, word.length - end)) as [
    string,
    string,
  ];
  return (
    (one.length <= 1 && other.length <= 1) || (one.length === 2 && one === `${other[1]}${other[0]}`)
  );
}
