import { addDays } from '@site/schema/calendar';
import { findEmailFault, tidyEmail } from '@site/schema/email';
import { readStored, writeStored } from './stored-text.ts';

const EMAIL_KEY = 'sampleEmail';
/** When the address is to be forgotten, as an instant. */
const UNTIL_KEY = 'sampleEmailUntil';
const KEPT_DAYS = 30;

/** For a browser that refuses to store anything: the address lasts as long as the page. */
let unstored: string | undefined;

/**
 * Takes the address that the sample site put into ours (`#email=` or `?email=`), keeps it for 30 days, and
 * answers our address without it. Null where there was none.
 */
export function takeSampleEmail(address: string, now: Date): string | null {
  const url = new URL(address);
  const fragment = new URLSearchParams(url.hash.slice(1));
  const given = fragment.get('email') ?? url.searchParams.get('email');
  if (given === null) return null;

  const email = tidyEmail(given);
  if (!findEmailFault(email)) keepSampleEmail(email, now);
  url.searchParams.delete('email');
  if (fragment.has('email')) {
    fragment.delete('email');
    url.hash = fragment.toString();
  }
  return `${url.pathname}${url.search}${url.hash}`;
}

function keepSampleEmail(email: string, now: Date): void {
  unstored = email;
  if (writeStored('localStorage', EMAIL_KEY, email)) {
    writeStored('localStorage', UNTIL_KEY, addDays(now, KEPT_DAYS).toISOString());
  }
}

/** The address the sample was asked for with, while we may still keep it. */
export function readSampleEmail(now: Date): string | undefined {
  const stored = readStored('localStorage', EMAIL_KEY);
  if (stored === null) return unstored;
  const until = readStored('localStorage', UNTIL_KEY);
  if (until !== null && Date.parse(until) <= now.getTime()) {
    dropSampleEmail();
    return undefined;
  }
  return stored;
}

/** Forgets the address: it has served its purpose, or its time is over. */
export function dropSampleEmail(): void {
  unstored = undefined;
  writeStored('localStorage', EMAIL_KEY, null);
  writeStored('localStorage', UNTIL_KEY, null);
}
