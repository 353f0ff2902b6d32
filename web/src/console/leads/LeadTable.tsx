import type { LeadInList } from '@site/schema/stored-lead';
import { Link } from 'react-router-dom';
import { Button } from '../../ui/Button.tsx';
import {
  canRetry,
  describeButton,
  describePlace,
  FORM_TYPE_NAMES,
  needsCorrection,
  shownStatus,
  STATE_NAMES,
} from '../lead/lead-labels.ts';
import type { Halt } from '../lead/lead-labels.ts';
import { LeadStatus } from '../lead/LeadStatus.tsx';
import { useHalt } from '../lead/use-halt.ts';
import { useOpenLead } from '../navigation.ts';
import { RetryButton } from '../retry/RetryButton.tsx';
import { OrderIcon } from '../shared/console-icons.tsx';
import { toQuery } from '../shared/filter.ts';
import type { ListFilter } from '../shared/filter.ts';
import { LIST_ID, openRow, toRowId } from '../shared/focus.ts';
import { Moment } from '../shared/fields.tsx';
import { TickBox } from '../shared/TickBox.tsx';
import { useNow } from '../shared/use-now.ts';
import styles from './LeadTable.module.css';
import { Instead, ListFoot, NewLeads } from './ListState.tsx';
import type { LeadList } from './use-lead-list.ts';
import type { Selection } from './use-selection.ts';

type LeadTableProps = { list: LeadList; filter: ListFilter; selection: Selection };

/** The list of leads: one row of two lines for each, or a stack on a phone. */
export function LeadTable({ list, filter, selection }: LeadTableProps) {
  const { leads } = list;
  const halt = useHalt();
  const now = useNow(leads.some(({ beehiivStatus }) => beehiivStatus === 'pending'));
  const isOldestFirst = filter.sort === 'oldest';
  return (
    <>
      <NewLeads list={list} />
      <table
        id={LIST_ID}
        tabIndex={-1}
        className={styles.table}
        aria-label="Leads"
        aria-busy={list.isLoading}
      >
        <thead>
          <tr>
            <th className={styles.tick}>
              <TickBox
                label="Select all shown"
                isTicked={selection.isAll}
                isMixed={selection.selected.length > 0 && !selection.isAll}
                onToggle={selection.toggleAll}
              />
            </th>
            {(['Contact', 'Form Type', 'Source', 'Location', 'Beehiiv'] as const).map((head) => (
              <th key={head} scope="col" data-column={head}>
                {head}
              </th>
            ))}
            <th
              scope="col"
              data-column="Date"
              aria-sort={isOldestFirst ? 'ascending' : 'descending'}
            >
              <Link
                to={{ search: toQuery({ ...filter, sort: isOldestFirst ? 'newest' : 'oldest' }) }}
                title={
                  isOldestFirst
                    ? 'Oldest first; show newest first'
                    : 'Newest first; show oldest first'
                }
              >
                Date
                <OrderIcon isUp={isOldestFirst} />
              </Link>
            </th>
          </tr>
        </thead>
        <tbody>
          {leads.length === 0 && (
            <tr className={styles.instead}>
              <td colSpan={7}>
                <Instead filter={filter} list={list} />
              </td>
            </tr>
          )}
          {leads.map((lead) => (
            <LeadRow
              key={lead.id}
              lead={lead}
              filter={filter}
              selection={selection}
              now={now}
              halt={halt}
              onRetried={list.reload}
            />
          ))}
        </tbody>
      </table>
      <ListFoot filter={filter} list={list} />
    </>
  );
}

type LeadRowProps = Pick<LeadTableProps, 'filter' | 'selection'> & {
  lead: LeadInList;
  now: Date;
  halt: Halt;
  onRetried: () => unknown;
};

function LeadRow({ lead, filter, selection, now, halt, onRetried }: LeadRowProps) {
  const { openId, linkTo } = useOpenLead();
  const { id, fullName, email, company, utmSource, utmCampaign } = lead;
  const name = fullName ?? email;
  const place = describePlace(lead);
  const standing =
    lead.standing === null || lead.standing === 'listed'
      ? filter.checkout === 'abandoned' && 'Abandoned'
      : STATE_NAMES[lead.standing];
  const isSent = fullName !== null;
  return (
    <tr
      id={toRowId(id)}
      onClick={openRow}
      tabIndex={-1}
      data-ticked={selection.has(lead) || undefined}
      aria-current={id === openId || undefined}
    >
      <td className={styles.tick}>
        <TickBox
          label={`Select ${name}`}
          isTicked={selection.has(lead)}
          onToggle={() => selection.toggle(lead)}
        />
      </td>
      <th scope="row" data-column="Contact">
        <Link to={{ search: linkTo(id) }}>
          <Line text={name} />
        </Link>
        <Line small text={isSent ? email : (company ?? 'No name given')} />
        {isSent && filter.search && company && <Line small text={company} />}
      </th>
      <td data-column="Form Type">
        <Line text={FORM_TYPE_NAMES[lead.formType]} />
        {standing && <Line small text={standing} />}
      </td>
      <td data-column="Source" data-none={utmSource === null || undefined}>
        <Line text={describeButton(utmSource ?? '')} />
        {utmCampaign !== null && <Line small text={utmCampaign} />}
      </td>
      <td data-column="Location" data-none={place === undefined || undefined}>
        <Line text={place ?? 'Not known'} />
      </td>
      <td data-column="Beehiiv">
        <div>
          <LeadStatus lead={lead} now={now} halt={halt} />
          {canRetry(lead) && <RowAction lead={lead} onRetried={onRetried} />}
        </div>
      </td>
      <td data-column="Date">
        <Moment at={lead.submittedAt} />
      </td>
    </tr>
  );
}

/** Retries a failed lead, sends one that is quarantined, or corrects a refused address. */
function RowAction({ lead, onRetried }: Pick<LeadRowProps, 'lead' | 'onRetried'>) {
  const { openCorrection } = useOpenLead();
  const name = lead.fullName ?? lead.email;
  const isQuarantined = shownStatus(lead) === 'quarantined';
  if (needsCorrection(lead))
    return (
      <Button
        look="line"
        size="small"
        aria-label={`Correct the address of ${name}`}
        onClick={() => openCorrection(lead.id)}
      >
        Correct…
      </Button>
    );
  return (
    <RetryButton
      lead={lead}
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

/** A line that is cut off rather than wrapped, with the whole text as its tooltip. Text may be right-to-left. */
function Line({ text, small = false }: { text: string; small?: boolean }) {
  return (
    <bdi className={styles.line} data-small={small || undefined} title={text}>
      {text}
    </bdi>
  );
}
