import type { RetryRun } from '@site/schema/calls/retry';
import { countOf, formatCount } from '../shared/format-count.ts';
import { HALTS } from '../lead/lead-labels.ts';
import type { Halt } from '../lead/lead-labels.ts';
import { formatDuration } from '../shared/london-time.ts';

/** How far a run is: `34 of 120 done: 30 sent, 4 failed again, 12 in progress`. */
export function describeRun(run: RetryRun, halt?: Halt): string {
  const inProgress = countInProgress(run);
  const done =
    run.finishedAt !== null && countSpared(run) > 0
      ? `Stopped at ${describeDone(run)}`
      : `${describeDone(run)} done`;
  const isTooLate = run.finishedAt !== null && run.stoppedAt !== null && countSpared(run) === 0;
  // A lead that is being sent is not stopped.
  const going = run.stoppedAt === null ? 'in progress' : 'being sent already';
  const underWay = halt ? `${inProgress === 1 ? 'waits' : 'wait'} until ${HALTS[halt].end}` : going;
  return [
    `${isTooLate ? 'Too late to stop. ' : ''}${done}: ${formatCount(run.sent)} sent`,
    describeRest(run),
    inProgress > 0 && `${formatCount(inProgress)} ${underWay}`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** How many leads of a run need nothing more. */
export const countDone = ({ sent, failed, skipped }: RetryRun) => sent + failed + skipped;

/** `34 of 120`. */
export const describeDone = (run: RetryRun) =>
  `${formatCount(countDone(run))} of ${formatCount(run.total)}`;

const countInProgress = ({ started, sent, failed, returned, finishedAt }: RetryRun) =>
  finishedAt === null ? Math.max(0, started - sent - failed - returned) : 0;

/** How many leads were spared because their run was stopped. */
export const countSpared = (run: RetryRun) =>
  run.stoppedAt === null ? 0 : Math.max(0, run.total - countDone(run) - countInProgress(run));

/** What a link to the leads of a run that are failed says. Undefined if there are none. */
export function nameFailed(run: RetryRun): 'Show it' | 'Show them' | 'Show both' | undefined {
  const spared = isOfQuarantine(run.filter) ? 0 : countSpared(run);
  if (run.failed > 0 && spared > 0) return 'Show both';
  if (run.failed + spared === 0) return undefined;
  return run.failed + spared === 1 ? 'Show it' : 'Show them';
}

/** What became of the leads of a run that were not sent: `4 failed again (Email is invalid), 2 no longer failed`. */
export function describeRest(run: RetryRun): string {
  const { filter, failed, skipped, failures } = run;
  const spared = countSpared(run);
  const [again, retried] = isOfQuarantine(filter) ? ['', 'sent'] : [' again', 'retried'];
  const parts = [
    failed > 0 &&
      `${formatCount(failed)} failed${again}${failures.length > 0 ? ` (${failures.join(', ')})` : ''}`,
    skipped > 0 && `${formatCount(skipped)} no longer failed`,
    spared > 0 && `${formatCount(spared)} not ${retried}`,
  ];
  return parts.filter(Boolean).join(', ');
}

/** Names a run: `Retry of 120 by ana`. Quarantined leads were not tried before. */
export function describeSize({ filter, total, operator }: RetryRun): string {
  return `${isOfQuarantine(filter) ? 'Sending' : 'Retry'} of ${formatCount(total)} by ${operator}`;
}

const isOfQuarantine = (filter: RetryRun['filter']) => filter['status'] === 'quarantined';

/** How many leads a retry takes and how long, or why it has to wait. */
export function describeEstimate(
  estimate: { count: number; estimateMs: number | null },
  halt: Halt,
  kind: 'failed' | 'quarantined' = 'failed',
): string {
  const what = `to ${kind === 'failed' ? 'retry' : 'send'}`;
  const leads = `${countOf(estimate.count, `${kind} lead`)} ${what}`;
  if (estimate.count === 0) return `No ${kind} leads ${what}.`;
  if (halt)
    return `${leads}. ${estimate.count === 1 ? 'It waits' : 'They wait'} until ${HALTS[halt].end}.`;
  if (estimate.estimateMs !== null && estimate.estimateMs < 1_500) return `${leads}.`;
  if (estimate.estimateMs === null) return `${leads}, as fast as Beehiiv answers.`;
  return `${leads}, about ${formatDuration(estimate.estimateMs)}.`;
}
