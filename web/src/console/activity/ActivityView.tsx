import type { OperatorAction } from '@site/schema/calls/audit';
import { useSearchParams } from 'react-router-dom';
import { useApiPages } from '../api/data.tsx';
import { toDatesText } from '../lead/filter-labels.ts';
import { DataTable } from '../shared/DataTable.tsx';
import type { Column } from '../shared/DataTable.tsx';
import { LinkButton, Moment } from '../shared/fields.tsx';
import { readFilter } from '../shared/filter.ts';
import { DatePresets, FilterForm } from '../shared/FilterForm.tsx';
import { SectionHead, ViewHead } from '../shared/heads.tsx';
import { Empty, LoadState } from '../shared/LoadState.tsx';
import { Action, ACTION_LABELS } from './actions.tsx';
import styles from './ActivityView.module.css';
import { Receipts } from './Receipts.tsx';

const LABELS = Object.entries<string>(ACTION_LABELS);

/** Lists operators' actions, filtered by the URL: by operator, kind and days. */
export function ActivityView() {
  const [params, setParams] = useSearchParams();
  const [operator = '', action = ''] = ['operator', 'action'].map((name) => params.get(name) ?? '');
  const { startDate, endDate } = readFilter(params);
  const dates = { startDate, endDate };
  const { data, failure, reload, hasMore, loadMore } = useApiPages(
    'GET /api/admin/audit',
    (previous) =>
      previous?.nextBefore === null
        ? null
        : { query: { operator, action, ...dates, before: previous?.nextBefore } },
  );
  const show = (wanted: Record<string, string>) => setParams(toSearch(wanted));
  // Includes the chosen operator while the list loads.
  const operators = new Set([...(data?.[0]?.operators ?? []), operator].filter(Boolean));
  const actions = data?.flatMap((page) => page.actions) ?? [];
  const isOfErasures = action === 'erase-person';
  const label = LABELS.find(([name]) => name === action)?.[1];
  return (
    <>
      <ViewHead
        title="Activity"
        range={[label, operator && `by ${operator}`, toDatesText(dates)].filter(Boolean).join(', ')}
        presets={
          <DatePresets filter={dates} view="activity" more={toSearch({ operator, action })} />
        }
        filters={
          <FilterForm
            filter={dates}
            choices={[
              {
                name: 'operator',
                label: 'Operator',
                all: 'All operators',
                chosen: operator,
                options: Array.from(operators, (name) => [name, name]),
              },
              {
                name: 'action',
                label: 'Action',
                all: 'All actions',
                chosen: action,
                options: LABELS,
              },
            ]}
            onApply={(_, wanted) => show({ view: 'activity', ...wanted })}
          />
        }
      />
      {(isOfErasures || action === '') && <Receipts all={isOfErasures} />}
      <LoadState of="Activity" data={data} failure={failure} reload={reload} />
      {data && actions.length === 0 && (
        <Empty title="No actions found">
          {operator || action || startDate || endDate ? (
            <LinkButton onClick={() => show({ view: 'activity' })}>Show all actions</LinkButton>
          ) : (
            'What operators do in the console appears here: logins, retries, exports, ' +
            'corrections and erasures.'
          )}
        </Empty>
      )}
      {actions.length > 0 && (
        <section className={styles.actions}>
          <SectionHead title="Actions" />
          <DataTable
            name="Actions"
            rows={actions}
            keyOf={({ id }) => String(id)}
            rowProps={({ action: name }) =>
              /^(read-|login$)/u.test(name) ? { className: styles.read } : {}
            }
            columns={COLUMNS}
          />
          {hasMore && (
            <p>
              <LinkButton onClick={() => void loadMore()}>Load earlier</LinkButton>
            </p>
          )}
        </section>
      )}
    </>
  );
}

const COLUMNS: Column<OperatorAction>[] = [
  { head: 'Action', cell: (action) => <Action action={action} /> },
  { head: 'By', width: '18%', cell: (action) => <bdi>{toActorName(action)}</bdi> },
  { head: 'Date', width: '14%', isFigure: true, cell: ({ at }) => <Moment at={at} /> },
];

/**
 * Returns the actor's name. Without an operator, a login failed, or somebody ran a command on the
 * server.
 */
function toActorName({ operator, action }: OperatorAction): string {
  return operator ?? (action === 'login-failed' ? 'Not logged in' : 'Setup');
}

const toSearch = (values: Record<string, string>) =>
  new URLSearchParams(Object.entries(values).filter(([, value]) => value !== '')).toString();
