import { error, ok, warning } from './findings.ts';
import type { Finding } from './findings.ts';

const WORTH_A_LOOK_SECONDS = 5;
/** Signed requests are refused once they look five minutes old; well before that something is wrong. */
const WRONG_SECONDS = 60;

/** Another's clock against ours. `ours` is the middle of the time between question and answer. */
export function compareClocks(whose: string, theirs: Date, ours: Date): Finding {
  const check = `clock of ${whose}`;
  const skewSeconds = (theirs.getTime() - ours.getTime()) / 1_000;
  const apart = `${Math.abs(skewSeconds).toFixed(1)} s ${skewSeconds > 0 ? 'ahead of' : 'behind'} this machine`;
  const remedy = `Keep time by NTP here and, where it is yours, on ${whose}'s machine.`;
  if (Math.abs(skewSeconds) >= WRONG_SECONDS) return error(check, apart, remedy);
  if (Math.abs(skewSeconds) >= WORTH_A_LOOK_SECONDS) return warning(check, apart, remedy);
  return ok(check, 'agrees with this machine');
}

/** The same for the `Date` header of an answer, which counts whole seconds. Nothing when there is none. */
export function compareDateHeader(whose: string, header: string | undefined, ours: Date): Finding[] {
  const theirs = Date.parse(header ?? '');
  // In the middle of its second, on average.
  return Number.isNaN(theirs) ? [] : [compareClocks(whose, new Date(theirs + 500), ours)];
}
