import { error, ok, warning } from './findings.ts';
import type { Finding } from './findings.ts';

const WARNING_SECONDS = 5;
/** Signed requests are refused if they look five minutes old. */
const ERROR_SECONDS = 60;

/** Compares another machine's clock with ours. `ours` is the middle of the time between request and response. */
export function compareClocks(whose: string, theirs: Date, ours: Date): Finding {
  const check = `clock of ${whose}`;
  const skewSeconds = (theirs.getTime() - ours.getTime()) / 1_000;
  const apart = `${Math.abs(skewSeconds).toFixed(1)} s ${skewSeconds > 0 ? 'ahead of' : 'behind'} this machine`;
  const remedy = `Use NTP on this machine and, if it is yours, on that of ${whose}.`;
  if (Math.abs(skewSeconds) >= ERROR_SECONDS) return error(check, apart, remedy);
  if (Math.abs(skewSeconds) >= WARNING_SECONDS) return warning(check, apart, remedy);
  return ok(check, 'agrees with this machine');
}

/** Does the same with a response's `Date` header, which has whole seconds. Returns nothing if it is absent. */
export function compareDateHeader(whose: string, header: string | undefined, ours: Date): Finding[] {
  const theirs = Date.parse(header ?? '');
  // On average, the moment was in the middle of that second.
  return Number.isNaN(theirs) ? [] : [compareClocks(whose, new Date(theirs + 500), ours)];
}
