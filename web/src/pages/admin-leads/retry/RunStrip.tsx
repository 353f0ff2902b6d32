import type { RetryRun } from '@site/schema/console';
import { Button } from '../../../ui/Button.tsx';
import { describeRun, describeSize } from './run-labels.ts';
import styles from './RunStrip.module.css';

type RunStripProps = { run: RetryRun; isStopping: boolean; onStop: (run: RetryRun) => Promise<void> };

/** A retry of many that is under way: how far it is, and a way to stop it. */
export function RunStrip({ run, isStopping, onStop }: RunStripProps) {
  const done = run.sent + run.failed + run.skipped + run.returned;
  const label = `Retry of ${run.total.toLocaleString('en-GB')} by ${run.operator}`;
  return (
    <section className={styles.strip} aria-label={label} tabIndex={-1}>
      <strong>{label}</strong>
      <progress
        className={styles.bar}
        value={done}
        max={Math.max(1, run.total)}
        aria-label={`Done of ${describeSize(run)}`}
      />
      <span className={styles.words}>{describeRun(run)}</span>
      {run.stoppedAt === null ? (
        <Button
          look="line"
          size="small"
          pending={isStopping}
          pendingLabel="..."
          aria-label={`Stop ${describeSize(run)}`}
          onClick={() => void onStop(run)}
        >
          Stop
        </Button>
      ) : (
        <span>Stopped</span>
      )}
    </section>
  );
}
