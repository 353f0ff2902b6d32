import type { RetryRun } from '@site/schema/console';
import { formatDuration } from '../time/london-time.ts';

const count = (n: number) => n.toLocaleString('en-GB');

/** How far a run is: `34 of 120 done: 30 sent, 4 failed again; 12 on their way`. */
export function describeRun(run: RetryRun): string {
  const { sent, failed, skipped, returned, started, total } = run;
  const underWay = Math.max(0, started - sent - failed - returned);
  const parts = [
    `${count(sent + failed + skipped + returned)} of ${count(total)} done: ${count(sent)} sent`,
    ...(failed > 0 ? [`${count(failed)} failed again`] : []),
    ...(skipped > 0 ? [`${count(skipped)} were not failed any more`] : []),
    ...(returned > 0 ? [`${count(returned)} given back`] : []),
    ...(underWay > 0 && run.finishedAt === null ? [`${count(underWay)} on their way`] : []),
  ];
  return parts.join(', ');
}

/** Which run it is: `the retry of 120 by ana`. */
export function describeSize({ total, operator }: RetryRun): string {
  return `the retry of ${count(total)} by ${operator}`;
}

/** How many there are, how long it would take, and what stands in the way. */
export function describeEstimate(estimate: { count: number; estimateMs: number | null; isPaused: boolean }): string {
  const leads = `${count(estimate.count)} failed ${estimate.count === 1 ? 'lead' : 'leads'}`;
  if (estimate.count === 0) return 'No failed leads to retry.';
  if (estimate.isPaused) return `${leads}. The sync is paused: they wait until it goes on.`;
  if (estimate.estimateMs === null) return `${leads}, as fast as Beehiiv answers.`;
  return `${leads}, about ${formatDuration(estimate.estimateMs)} at the present rate.`;
}
