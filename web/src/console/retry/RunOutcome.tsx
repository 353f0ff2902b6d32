import type { RetryRun } from '@site/schema/calls/retry';
import { Link } from 'react-router-dom';
import { toQuery } from '../filters/filter-params.ts';
import { describeRun } from './run-labels.ts';

/** How far a run is, with a link to the leads that failed again. */
export function RunOutcome({ run }: { run: RetryRun }) {
  return (
    <>
      {describeRun(run)}
      {run.failed > 0 && (
        <>
          {' · '}
          <Link to={{ search: toQuery({ status: 'failed', retryRun: run.id }) }}>
            {run.failed === 1 ? 'Show it' : 'Show them'}
          </Link>
        </>
      )}
    </>
  );
}
