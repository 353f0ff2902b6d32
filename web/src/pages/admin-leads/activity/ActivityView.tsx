import type { AuditAnswer } from '@site/schema/console';
import { useSearchParams } from 'react-router-dom';
import useSWRInfinite from 'swr/infinite';
import { CURRENT_DATA } from '../api/use-api-data.ts';
import { DataTable } from '../elements/DataTable.tsx';
import { EmptyView } from '../elements/EmptyView.tsx';
import { LinkButton } from '../elements/LinkButton.tsx';
import { LoadState } from '../elements/LoadState.tsx';
import { TableFilters } from '../elements/TableFilters.tsx';
import { formatFully, formatMoment } from '../time/london-time.ts';
import { useNow } from '../time/use-now.ts';
import { ACTION_LABELS } from './action-labels.ts';
import { ActionSentence } from './ActionSentence.tsx';

const ACTIONS = Object.entries(ACTION_LABELS).map(([value, label]) => ({ value, label }));

/** What operators did, newest first, of one operator or of one kind if the address says so. */
export function ActivityView() {
  const now = useNow(false);
  const [params, setParams] = useSearchParams();
  const chosen = { operator: params.get('operator') ?? '', action: params.get('action') ?? '' };
  const { data, error, size, setSize, mutate } = useSWRInfinite<AuditAnswer, unknown>(
    (_index: number, previous: AuditAnswer | null) =>
      previous?.nextBefore === null ? null : toUrl({ ...chosen, before: String(previous?.nextBefore ?? '') }),
    { ...CURRENT_DATA, keepPreviousData: true },
  );
  if (!data || error !== undefined) return <LoadState of="activity" fault={error} onTryAgain={() => mutate()} />;
  const actions = data.flatMap((page) => page.actions);
  const choose = (change: Partial<typeof chosen>) =>
    setParams(new URLSearchParams(toSearch({ view: 'activity', ...chosen, ...change })));
  return (
    <>
      <TableFilters
        name="Activity"
        selects={[
          {
            label: 'Operator',
            all: 'All operators',
            value: chosen.operator,
            options: (data[0]?.operators ?? []).map((operator) => ({ value: operator, label: operator })),
            onChoose: (operator) => choose({ operator }),
          },
          {
            label: 'Action',
            all: 'All actions',
            value: chosen.action,
            options: ACTIONS,
            onChoose: (action) => choose({ action }),
          },
        ]}
      />
      {actions.length === 0 ? (
        <EmptyView title="No actions found">
          {chosen.operator || chosen.action ? (
            <LinkButton onClick={() => choose({ operator: '', action: '' })}>Show all actions</LinkButton>
          ) : (
            'What operators do in the console appears here: logins, retries, exports, corrections and erasures.'
          )}
        </EmptyView>
      ) : (
        <DataTable name="Activity" heads={['Time', 'Operator', 'Action']} widths={['150px', '180px', 'auto']}>
          {actions.map((action) => (
            <tr key={action.id}>
              <td>
                <time dateTime={action.at} title={formatFully(new Date(action.at))}>
                  {formatMoment(new Date(action.at), now)}
                </time>
              </td>
              <td>
                <bdi>{action.operator ?? '(not logged in)'}</bdi>
              </td>
              <td>
                <ActionSentence action={action} />
              </td>
            </tr>
          ))}
        </DataTable>
      )}
      {data.at(-1)?.nextBefore != null && <LinkButton onClick={() => void setSize(size + 1)}>Load earlier</LinkButton>}
    </>
  );
}

const toSearch = (values: Record<string, string>) =>
  new URLSearchParams(Object.entries(values).filter(([, value]) => value !== '')).toString();

function toUrl(query: Record<string, string>): string {
  const search = toSearch(query);
  return search === '' ? '/api/admin/audit' : `/api/admin/audit?${search}`;
}
