import { useState } from 'react';
import type { RetryRun } from '@site/schema/calls/retry';
import { Link } from 'react-router-dom';
import { findHeading } from '../../ui/find-heading.ts';
import { LinkButton } from '../shared/LinkButton.tsx';
import { focusListIfLost } from '../shared/page-content.ts';
import { toQuery } from '../shared/filter-params.ts';
import { useFilter } from '../shared/use-filter.ts';
import { useHalt } from '../lead/use-halt.ts';
import { countDone, countSpared, describeRun, describeSize, nameFailed } from './run-labels.ts';
import styles from './RunStrips.module.css';
import { StopRun } from './StopRun.tsx';
import { useRetryRuns } from './use-retry-runs.ts';

/** Results that have room beside each other. */
const MOST_ENDED = 2;

/**
 * The bulk retries in progress, each with a button to stop it. One that ends while the list is open says how, until it is
 * closed, one of more than chosen leads begins, or two others have begun.
 */
export function RunStrips() {
  const { runs, reload } = useRetryRuns();
  const halt = useHalt();
  const { filter } = useFilter();
  const [hidden, setHidden] = useState<ReadonlySet<string>>();
  // What had ended before is history, which the view Sync shows.
  if (runs && !hidden) setHidden(new Set(runs.filter(isOver).map(({ id }) => id)));
  const shown = runs?.filter(({ id }) => hidden?.has(id) === false);
  // What one that ended says may no longer hold once another has taken all leads of a filter.
  const isValid = ({ finishedAt }: RetryRun, index: number) =>
    finishedAt === null ||
    (index < MOST_ENDED &&
      !runs?.some(
        ({ createdAt, filter: taken }) => createdAt > finishedAt && taken['selected'] === undefined,
      ));
  return shown?.filter(isValid).map((run) => {
    const label = describeSize(run);
    const failed = nameFailed(run);
    const isShown = filter.retryRun === run.id && filter.status === 'failed';
    return (
      <section key={run.id} className={styles.strip} aria-label={label} tabIndex={-1}>
        <strong>{label}</strong>
        {!isOver(run) && (
          <progress
            className={styles.bar}
            value={countDone(run)}
            max={Math.max(1, run.total)}
            aria-label={`Progress: ${label}`}
          />
        )}
        <span className={styles.words}>
          {describeRun(run, halt)}
          {failed && (
            <>
              {'. '}
              {/* To what the list is narrowed to, once the link has been followed, so that Back leads here. */}
              <Link
                to={{ search: toQuery({ status: 'failed', retryRun: run.id }) }}
                aria-current={isShown || undefined}
                onClick={() => requestAnimationFrame(() => findHeading()?.scrollIntoView())}
              >
                {isShown ? 'Shown above' : failed}
              </Link>
            </>
          )}
        </span>
        {/* Announced only at the end, and not with every lead. */}
        <output className="visually-hidden">
          {isOver(run) && (countSpared(run) > 0 ? 'Stopped' : 'Done')}
        </output>
        {isOver(run) ? (
          <LinkButton
            aria-label={`Close: ${label}`}
            onClick={() => {
              setHidden((known) => new Set(known).add(run.id));
              setTimeout(focusListIfLost);
            }}
          >
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
