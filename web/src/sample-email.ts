import { addDays } from '@site/schema/calendar';
import { findEmailError, tidyEmail } from '@site/schema/email';
import { readStored, writeStored } from './stored-text.ts';

const EMAIL_KEY = 'sampleEmail';
/** When the stored email expires, as an ISO timestamp. */
const UNTIL_KEY = 'sampleEmailUntil';
const STORED_DAYS = 30;

/** The email if the browser refuses storage. It lasts as long as the page. */
let unstored: string | undefined;

/**
 * Stores the email that the sample site added to our URL (`#email=` or `?email=`) for 30 days.
 * Returns the URL without the email, or null if there was none.
 */
export function takeSampleEmail(address: string, now: Date): string | null {
  const url = new URL(address);
  const fragment = new URLSearchParams(url.hash.slice(1));
  const given = fragment.get('email') ?? url.searchParams.get('email');
  if (given === null) return null;

  const email = tidyEmail(given);
  if (!findEmailError(email)) saveSampleEmail(email, now);
  url.searchParams.delete('email');
  if (fragment.has('email')) {
    fragment.delete('email');
    url.hash = fragment.toString();
  }
  return `${url.pathname}${url.search}${url.hash}`;
}

function saveSampleEmail(email: string, now: Date): void {
  unstored = email;
  if (writeStored('localStorage', EMAIL_KEY, email)) {
    writeStored('localStorage', UNTIL_KEY, addDays(now, STORED_DAYS).toISOString());
  }
}

/** Reads the email of the sample request. Deletes it if it has expired. */
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

export function dropSampleEmail(): void {
  unstored = undefined;
  writeStored('localStorage', EMAIL_KEY, null);
  writeStored('localStorage', UNTIL_KEY, null);
}
