/** A person does not open a form and send it faster than this, in milliseconds. */
const FASTEST_PERSON_MS = 1_500;

/**
 * Why a submission looks like a robot's, or null. A signal quarantines a lead, it never drops it; a
 * missing timing is no signal, since other sites and plain forms send none.
 */
export function findBotSignal(sent: { website: string | undefined; elapsedMs: number | undefined }): string | null {
  if (sent.website !== undefined) return 'the hidden field was filled';
  if (sent.elapsedMs !== undefined && sent.elapsedMs < FASTEST_PERSON_MS) {
    return `sent ${Math.max(0, Math.round(sent.elapsedMs))} ms after the form was opened`;
  }
  return null;
}
