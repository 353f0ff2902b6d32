import type { LeadInList } from '@site/schema/stored-lead';
import { Link } from 'react-router-dom';
import {
  canRetry,
  toPlaceName,
  toFormName,
  toSourceName,
  needsCorrection,
  shownStatus,
  STATE_NAMES,
} from '@site/schema/labels';
import type { Halt } from '../lead/progress.ts';
import { LeadStatus } from '../lead/LeadStatus.tsx';
import { useHalt } from '../lead/use-halt.ts';
import { useOpenLead } from '../navigation.ts';
import { RetryButton } from '../retry/RetryButton.tsx';
import { DataTable } from '../shared/DataTable.tsx';
import type { Column } from '../shared/DataTable.tsx';
import { toQuery } from '../shared/filter.ts';
import type { ListFilter } from '../shared/filter.ts';
import { LIST_ID, openRow, toRowId } from '../shared/focus.ts';
import { Moment } from '../shared/fields.tsx';
import nameStyles from '../shared/NameLink.module.css';
import { useNow } from '../shared/use-now.ts';
import styles from './LeadTable.module.css';
import { Instead, ListFoot, NewLeads } from './ListState.tsx';
import type { LeadList } from './use-lead-list.ts';
import type { Selection } from './use-selection.ts';

type LeadTableProps = { list: LeadList; filter: ListFilter; selection: Selection | undefined };

/** Renders the list of leads: a row of two lines for each, or a stack on a phone. */
export function LeadTable({ list, filter, selection }: LeadTableProps) {
  const { leads } = list;
  const { openId, linkTo } = useOpenLead();
  const halt = useHalt();
  const now = useNow(leads.some(({ beehiivStatus }) => beehiivStatus === 'pending'));
  return (
    <>
      <NewLeads list={list} />
      <DataTable
        name="Leads"
        id={LIST_ID}
        tabIndex={-1}
        aria-busy={list.isLoading}
        rows={leads}
        keyOf={({ id }) => id}
        rowProps={({ id }) => ({
          id: toRowId(id),
          className: styles.lead,
          tabIndex: -1,
          'aria-current': id === openId || undefined,
          onClick: openRow,
        })}
        selection={selection}
        columns={toColumns({ filter, linkTo, now, halt, onRetried: list.reload })}
      />
      {leads.length === 0 ? (
        <Instead filter={filter} list={list} />
      ) : (
        <ListFoot filter={filter} list={list} />
      )}
    </>
  );
}

type ColumnsProps = {
  filter: ListFilter;
  linkTo: (leadId: string) => string;
  now: Date;
  halt: Halt;
  onRetried: () => unknown;
};

function toColumns({ filter, linkTo, now, halt, onRetried }: ColumnsProps): Column<LeadInList>[] {
  const isOldestFirst = filter.sort === 'oldest';
  return [
    {
      head: 'Contact',
      width: '24%',
      cell: ({ id, name, email, company }) => (
        <>
          <Link className={nameStyles.name} to={{ search: linkTo(id) }}>
            <Line text={name ?? email} />
          </Link>
          <Line small text={name === null ? (company ?? 'No name given') : email} />
          {name !== null && filter.search && company && <Line small text={company} />}
        </>
      ),
    },
    {
      head: 'Form Type',
      width: '12%',
      cell: (lead) => {
        const state = toStateName(lead, filter);
        return (
          <>
            <Line text={toFormName(lead)} />
            {state && <Line small text={state} />}
          </>
        );
      },
    },
    {
      head: 'Source',
      width: '14%',
      isNone: ({ formType, utmSource }) => formType !== 'pre_sample' && utmSource === null,
      cell: (lead) => (
        <>
          <Line text={toSourceName(lead)} />
          {lead.utmCampaign !== null && <Line small text={lead.utmCampaign} />}
        </>
      ),
    },
    {
      head: 'Location',
      width: '11%',
      isNone: (lead) => toPlaceName(lead) === undefined,
      cell: (lead) => <Line text={toPlaceName(lead) ?? 'Not known'} />,
    },
    {
      head: 'Beehiiv',
      width: '26%',
      place: 'line',
      cell: (lead) => (
        <div className={styles.status}>
          <LeadStatus lead={lead} now={now} halt={halt} />
          {canRetry(lead) && !needsCorrection(lead) && (
            <RowAction lead={lead} onRetried={onRetried} />
          )}
        </div>
      ),
    },
    {
      head: 'Date',
      width: '12%',
      isFigure: true,
      place: 'amount',
      sort: {
        isAscending: isOldestFirst,
        search: toQuery({ ...filter, sort: isOldestFirst ? 'newest' : 'oldest' }),
        title: isOldestFirst
          ? 'Oldest first; show newest first'
          : 'Newest first; show oldest first',
      },
      cell: ({ submittedAt }) => <Moment at={submittedAt} />,
    },
  ];
}

/** Returns the person's state, unless the lead's status already shows it. */
function toStateName({ state }: LeadInList, filter: ListFilter): string | undefined {
  if (state !== null && state !== 'none') return STATE_NAMES[state];
  return filter.checkout === 'abandoned' ? 'Abandoned' : undefined;
}

type RowActionProps = { lead: LeadInList; onRetried: () => unknown };

/** Retries a failed lead, or sends a quarantined lead. */
function RowAction({ lead, onRetried }: RowActionProps) {
  const name = lead.name ?? lead.email;
  const isQuarantined = shownStatus(lead) === 'quarantined';
  return (
    <RetryButton
      lead={lead}
      name={lead.name}
      look="line"
      size="small"
      aria-label={`${isQuarantined ? 'Send to Beehiiv:' : 'Retry'} ${name}`}
      // Short, so that the columns keep their widths.
      pendingLabel="..."
      onDone={onRetried}
    >
      {isQuarantined ? 'Send…' : 'Retry'}
    </RetryButton>
  );
}

/**
 * Renders a line that is cut off rather than wrapped, with the whole text as its tooltip. Text may
 * be right-to-left.
 */
function Line({ text, small = false }: { text: string; small?: boolean }) {
  return (
    <bdi className={styles.line} data-small={small || undefined} title={text}>
      {text}
    </bdi>
  );
}
