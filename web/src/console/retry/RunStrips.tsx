import { useState } from 'react';
import type { RetryRun } from '@site/schema/calls/retry';
import { Link } from 'react-router-dom';
import { LinkButton } from '../elements/LinkButton.tsx';
import { focusListIfLost } from '../focus/page-content.ts';
import { useHalt } from '../lead/use-halt.ts';
import { toQuery } from '../filters/filter-params.ts';
import { describeRun, describeSize } from './run-labels.ts';
import styles from './RunStrips.module.css';
import { StopRun } from './StopRun.tsx';
import { useRetryRuns } from './use-retry-runs.ts';

/**
 * The bulk retries in progress, each with a button to stop it. One that ends while the list is open says how, until the
 * operator closes it. `withEnded`: there is room for it.
 */
export function RunStrips({ withEnded }: { withEnded: boolean }) {
  const { runs, reload } = useRetryRuns();
  const halt = useHalt();
  const [hidden, setHidden] = useState<ReadonlySet<string>>();
  // What had ended before is history, which the view Sync shows.
  if (runs && !hidden) setHidden(new Set(runs.filter(isOver).map(({ id }) => id)));
  const hide = ({ id }: RetryRun) => {
    setHidden((known) => new Set(known).add(id));
    setTimeout(focusListIfLost);
  };
  const shown = runs?.filter(({ id }) => hidden?.has(id) === false);
  // Of those that ended, what an earlier one says may no longer hold.
  const ended = shown?.find(isOver);
  return shown
    ?.filter((run) => !isOver(run) || (withEnded && run === ended))
    .map((run) => {
      const label = describeSize(run);
      return (
        <section key={run.id} className={styles.strip} aria-label={label} tabIndex={-1}>
          <strong>{label}</strong>
          {!isOver(run) && (
            <progress
              className={styles.bar}
              value={run.sent + run.failed + run.skipped + run.returned}
              max={Math.max(1, run.total)}
              aria-label={`Progress: ${label}`}
            />
          )}
          <span className={styles.words}>
            {describeRun(run, halt)}
            {run.failed > 0 && (
              <>
                {'. '}
                <Link to={{ search: toQuery({ status: 'failed', retryRun: run.id }) }}>
                  {run.failed === 1 ? 'Show it' : 'Show them'}
                </Link>
              </>
            )}
          </span>
          {/* Announced only at the end, and not with every lead. */}
          <output className="visually-hidden">{isOver(run) && (run.stoppedAt === null ? 'Done' : 'Stopped')}</output>
          {isOver(run) ? (
            <LinkButton aria-label={`Close: ${label}`} onClick={() => hide(run)}>
              Close
            </LinkButton>
          ) : (
            <StopRun run={run} onStopped={reload} />
          )}
        </section>
      );
    });
}

const isOver = ({ finishedAt }: RetryRun) => finishedAt !== null;
