import { describeFault } from '../call-fault.ts';
import { FORM_TYPE_NAMES } from '../list/lead-labels.ts';
import { formatMoment } from '../london-time.ts';
import { describeRun, describeSize } from './run-labels.ts';
import { useNow } from '../use-now.ts';
import { ViewTable } from '../ViewTable.tsx';
import type { useRetryRuns } from './use-retry-runs.ts';
import type { RetryRun } from '@site/schema/console';
import { Button } from '../../../ui/Button.tsx';

/** The retries of many, newest first. */
export function RunsView({ runs: { runs, fault, stopping, stop } }: { runs: ReturnType<typeof useRetryRuns> }) {
  const now = useNow(false);
  if (fault !== undefined) return <p role="alert">{describeFault(fault)}</p>;
  if (!runs) return <output>Loading runs...</output>;
  if (runs.length === 0) return <p>Nothing was retried in numbers yet. Begin with “Retry failed…” above the list.</p>;
  return (
    <ViewTable name="Retry runs" heads={['Begun', 'By', 'Which', 'How far', 'State']}>
      {runs.map((run) => (
        <tr key={run.id}>
          <td>{formatMoment(new Date(run.createdAt), now)}</td>
          <td>
            <bdi>{run.operator}</bdi>
          </td>
          <td>
            <bdi>{describeChoice(run)}</bdi>
          </td>
          <td>{describeRun(run)}</td>
          <td>
            {run.finishedAt !== null ? (
              run.stoppedAt === null ? (
                'Done'
              ) : (
                'Stopped'
              )
            ) : run.stoppedAt !== null ? (
              'Stopping'
            ) : (
              <Button
                look="line"
                size="small"
                pending={stopping === run.id}
                pendingLabel="..."
                aria-label={`Stop ${describeSize(run)}`}
                onClick={() => void stop(run)}
              >
                Stop
              </Button>
            )}
          </td>
        </tr>
      ))}
    </ViewTable>
  );
}

function describeChoice({ filter }: RetryRun): string {
  const text = (name: string) => (typeof filter[name] === 'string' ? filter[name] : undefined);
  const formType = text('formType');
  const parts = [
    typeof filter['selected'] === 'number' ? `${filter['selected']} selected` : undefined,
    filter['failedInRefusalPause'] === true ? 'the refusals in a row' : undefined,
    formType === 'pre_sample' || formType === 'pre_buy' ? FORM_TYPE_NAMES[formType] : undefined,
    text('startDate') && `from ${text('startDate')}`,
    text('endDate') && `to ${text('endDate')}`,
    filter['checkout'] === 'abandoned' && 'checkout given up',
    text('search') && `matching “${text('search')}”`,
    filter['withQuarantined'] === true ? 'with those kept back' : undefined,
  ];
  return parts.filter(Boolean).join(', ') || 'All failed';
}
