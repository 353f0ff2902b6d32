import { findEmailFault, tidyEmail } from '@site/schema/email';
import { POPULAR_DOMAINS, run } from '@zootools/email-spell-checker';

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

/** Without names of up to three letters: too many real domains are one slip away. */
const COMMON_DOMAINS = [...POPULAR_DOMAINS, ...FURTHER_DOMAINS].filter(
  (domain) => domain.indexOf('.') > 3,
);

/**
 * Suggests the intended email if commas or dots after the @ are mistyped, or if the domain is one slip away from a common
 * one. Returns null otherwise. Only a suggestion: a company's own domain may look like a slip.
 */
export function suggestEmail(typed: string): string | null {
  const tidied = tidyEmail(typed);
  const email = findEmailFault(tidied) === null ? tidied : mendDots(tidied);
  if (findEmailFault(email)) return null;
  const suggestion = run({
    email,
    domains: COMMON_DOMAINS,
    domainThreshold: 1,
    distanceFunction: countSlips,
    // Correcting parts of a domain would suggest emails that do not exist.
    secondLevelDomains: [],
    topLevelDomains: [],
  });
  if (suggestion) return email.slice(0, email.lastIndexOf('@') + 1) + suggestion.domain;
  return email === tidied ? null : email;
}

const mendDots = (email: string) =>
  email.replace(/@[^@]*$/, (domain) => domain.replace(/[,.]+/g, '.').replace(/\.$/, ''));

/**
 * Counts the slips between two words: a missing, extra or wrong letter, or two neighbours swapped. The email
 * library's own measure rates a swap below a wrong letter and mistakes `gmx.net` for `cox.net`.
 */
function countSlips(typed: string, meant: string): number {
  const rows: number[][] = [Array.from({ length: meant.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number) => rows[row]?.[column] ?? Infinity;
  for (let row = 1; row <= typed.length; row += 1) {
    rows.push([row]);
    for (let column = 1; column <= meant.length; column += 1) {
      const isSame = typed[row - 1] === meant[column - 1];
      const isSwapped =
        typed[row - 1] === meant[column - 2] && typed[row - 2] === meant[column - 1];
      rows[row]?.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(row - 2, column - 2) + 1 : Infinity,
        ),
      );
    }
  }
  return at(typed.length, meant.length);
}
