import { findEmailFault, tidyEmail } from '@site/schema/email';
import { POPULAR_DOMAINS, run } from '@zootools/email-spell-checker';
import { countSlips } from './count-slips.ts';

/** Domains our subscribers have and the library's list lacks. */
const FURTHER_DOMAINS = [
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

/** A name of three letters is one slip from half the companies there are. */
const COMMON_DOMAINS = [...POPULAR_DOMAINS, ...FURTHER_DOMAINS].filter((domain) => domain.indexOf('.') > 3);

/**
 * The address that was probably meant where its domain is one slip away from a common one; null otherwise.
 * An offer, never a refusal: a company's own domain may look like a slip.
 */
export function suggestEmail(typed: string): string | null {
  const email = tidyEmail(typed);
  if (findEmailFault(email)) return null;
  const suggestion = run({
    email,
    domains: COMMON_DOMAINS,
    domainThreshold: 1,
    distanceFunction: countSlips,
    // Guessing at parts of a domain offers addresses that nobody has.
    secondLevelDomains: [],
    topLevelDomains: [],
  });
  return suggestion ? email.slice(0, email.lastIndexOf('@') + 1) + suggestion.domain : null;
}
