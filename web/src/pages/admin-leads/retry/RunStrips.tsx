import { formatCount } from '../elements/format-count.ts';
import { describeRun, describeSize } from './run-labels.ts';
import styles from './RunStrips.module.css';
import { StopRun } from './StopRun.tsx';
import { useRetryRuns } from './use-retry-runs.ts';

/** The bulk retries in progress, each with a button to stop it. */
export function RunStrips() {
  const { runs = [], ...stopping } = useRetryRuns();
  return runs
    .filter(({ finishedAt }) => finishedAt === null)
    .map((run) => {
      const label = `Retry of ${formatCount(run.total)} by ${run.operator}`;
      return (
        <section key={run.id} className={styles.strip} aria-label={label} tabIndex={-1}>
          <strong>{label}</strong>
          <progress
            className={styles.bar}
            value={run.sent + run.failed + run.skipped + run.returned}
            max={Math.max(1, run.total)}
            aria-label={`Progress of ${describeSize(run)}`}
          />
          <span className={styles.words}>{describeRun(run)}</span>
          <StopRun run={run} {...stopping} />
        </section>
      );
    });
}
