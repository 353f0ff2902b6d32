import type { AuditAnswer, OperatorAction } from '@site/schema/console';
import useSWRInfinite from 'swr/infinite';
import { CURRENT_DATA } from '../api/use-api-data.ts';
import { DataTable } from '../elements/DataTable.tsx';
import { LinkButton } from '../elements/LinkButton.tsx';
import { LoadState } from '../elements/LoadState.tsx';
import { formatFully, formatMoment } from '../time/london-time.ts';
import { useNow } from '../time/use-now.ts';

const ACTION_LABELS: Record<string, string> = {
  login: 'Logged in',
  'login-failed': 'Failed to log in',
  logout: 'Logged out',
  'export-leads': 'Exported leads',
  retry: 'Retried',
  'retry-run': 'Started a bulk retry',
  'retry-run-stop': 'Stopped a bulk retry',
  correct: 'Corrected an address',
  'correct-payer': 'Corrected a payer’s address',
  'change-delivery': 'Changed a delivery address',
  'export-person': 'Exported a person',
  'erase-person': 'Erased a person',
  'review-mismatch': 'Reviewed a payment from another address',
  'review-second': 'Reviewed a second subscription',
  'review-stripe-event': 'Reviewed a parked Stripe event',
  'read-stripe-event': 'Opened a parked Stripe event',
  'user-add': 'Operator added',
  'user-reset': 'Operator password reset',
  'user-remove': 'Operator removed',
};

/** What operators did, newest first. */
export function ActivityView() {
  const now = useNow(false);
  const { data, error, size, setSize } = useSWRInfinite<AuditAnswer, unknown>(
    (_index: number, previous: AuditAnswer | null) => {
      if (previous === null) return '/api/admin/audit';
      return previous.nextBefore === null ? null : `/api/admin/audit?before=${previous.nextBefore}`;
    },
    CURRENT_DATA,
  );
  if (!data || error !== undefined) return <LoadState of="activity" fault={error} />;
  return (
    <>
      <DataTable name="Activity" heads={['Time', 'Operator', 'Action', 'Subject']}>
        {data
          .flatMap((page) => page.actions)
          .map((action) => (
            <tr key={action.id}>
              <td>
                <time dateTime={action.at} title={formatFully(new Date(action.at))}>
                  {formatMoment(new Date(action.at), now)}
                </time>
              </td>
              <td>
                <bdi>{action.operator ?? '(not logged in)'}</bdi>
              </td>
              <td>{ACTION_LABELS[action.action] ?? action.action}</td>
              <td>
                <bdi>{describeSubject(action)}</bdi>
              </td>
            </tr>
          ))}
      </DataTable>
      {data.at(-1)?.nextBefore != null && <LinkButton onClick={() => void setSize(size + 1)}>Load earlier</LinkButton>}
    </>
  );
}

function describeSubject({ subject, detail }: OperatorAction): string {
  const told = Object.entries(detail).map(([name, value]) =>
    typeof value === 'string' ? `${name} ${value}` : `${name} ${JSON.stringify(value)}`,
  );
  return [subject, ...told].filter((part) => part !== null).join(', ');
}
