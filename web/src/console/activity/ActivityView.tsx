import type { AuditAnswer, OperatorAction } from '@site/schema/calls/audit';
import { DataTable } from '../shared/DataTable.tsx';
import type { Column } from '../shared/DataTable.tsx';
import { LinkButton, Moment } from '../shared/fields.tsx';
import { Empty, LoadState } from '../shared/LoadState.tsx';
import { SectionHead } from '../shared/heads.tsx';
import { Action } from './actions.tsx';
import styles from './ActivityView.module.css';
import { Receipts } from './Receipts.tsx';
import { ALL_ACTIVITY, useActivity } from './use-activity.ts';

export function ActivityView() {
  const activity = useActivity();
  const { pages, chosen, fault, reload } = activity;
  const isOfErasures = chosen.action === 'erase-person';
  return (
    <>
      {(isOfErasures || chosen.action === '') && <Receipts chosen={chosen} all={isOfErasures} />}
      <LoadState of="Activity" data={pages} fault={fault} reload={reload} />
      {pages && <Actions {...activity} pages={pages} />}
    </>
  );
}

type ActionsProps = Omit<ReturnType<typeof useActivity>, 'pages'> & {
  pages: readonly AuditAnswer[];
};

function Actions({ pages, chosen, choose, hasMore, loadMore }: ActionsProps) {
  const actions = pages.flatMap((page) => page.actions);
  if (actions.length === 0) {
    return (
      <Empty title="No actions found">
        {Object.values(chosen).some((value) => value !== '') ? (
          <LinkButton onClick={() => choose(ALL_ACTIVITY)}>Show all actions</LinkButton>
        ) : (
          'What operators do in the console appears here: logins, retries, exports, corrections and erasures.'
        )}
      </Empty>
    );
  }
  return (
    <section className={styles.actions}>
      <SectionHead title="Actions" />
      <DataTable
        name="Actions"
        rows={actions}
        keyOf={({ id }) => String(id)}
        rowProps={({ action }) =>
          /^(read-|login$)/u.test(action) ? { className: styles.read } : {}
        }
        columns={COLUMNS}
      />
      {hasMore && (
        <p>
          <LinkButton onClick={() => void loadMore()}>Load earlier</LinkButton>
        </p>
      )}
    </section>
  );
}

const COLUMNS: Column<OperatorAction>[] = [
  { head: 'Action', cell: (action) => <Action action={action} /> },
  { head: 'By', width: '18%', cell: (action) => <bdi>{describeActor(action)}</bdi> },
  { head: 'Date', width: '14%', isFigure: true, cell: ({ at }) => <Moment at={at} /> },
];

/** Without an operator, a login failed, or somebody ran a command on the server. */
function describeActor({ operator, action }: OperatorAction): string {
  return operator ?? (action === 'login-failed' ? 'Not logged in' : 'Setup');
}
