/** A person cannot open and send a form faster than this, in milliseconds. */
const FASTEST_PERSON_MS = 1_500;

/**
 * Returns why a submission looks automated, in as few words as a row of the list has room for, or null. A signal
 * quarantines a lead and never drops it. A missing timing is not a signal, since other sites and plain forms send none.
 */
export function findBotSignal(sent: { website: string | undefined; elapsedMs: number | undefined }): string | null {
  if (sent.website !== undefined) return 'the hidden field was filled';
  if (sent.elapsedMs !== undefined && sent.elapsedMs < FASTEST_PERSON_MS) {
    return `sent within ${FASTEST_PERSON_MS / 1_000} seconds`;
  }
  return null;
}
