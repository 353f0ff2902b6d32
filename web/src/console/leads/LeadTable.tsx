import type { LeadListAnswer } from '@site/schema/calls/leads';
import type { ListedLead } from '@site/schema/stored-lead';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Button } from '../../ui/Button.tsx';
import {
  canRetry,
  describeButton,
  describePlace,
  describeStage,
  FORM_TYPE_NAMES,
  needsCorrection,
  shownStatus,
} from '../lead/lead-labels.ts';
import type { Halt } from '../lead/lead-labels.ts';
import { LeadStatus } from '../lead/LeadStatus.tsx';
import { useOpenLead, useOpenOnClick } from '../navigation/open-lead.ts';
import { OrderIcon } from '../shared/console-icons.tsx';
import { toQuery } from '../shared/filter.ts';
import type { ListFilter } from '../shared/filter.ts';
import { LIST_ID, toRowId } from '../shared/focus.ts';
import { Moment } from '../shared/fields.tsx';
import { TickBox } from '../shared/TickBox.tsx';
import styles from './LeadTable.module.css';
import type { Selection } from './use-selection.ts';

type LeadTableProps = Pick<LeadListAnswer, 'stages' | 'endings'> & {
  leads: readonly ListedLead[];
  filter: ListFilter;
  selection: Selection;
  now: Date;
  halt: Halt;
  /** Leads whose retry the server has not answered yet. */
  retrying: ReadonlySet<string>;
  onRetry: (lead: ListedLead) => void;
  isLoading: boolean;
  /** Takes the place of the rows. */
  instead: ReactNode;
};

/** The list of leads: one row of two lines for each, or a stack on a phone. */
export function LeadTable({ leads, isLoading, instead, ...row }: LeadTableProps) {
  const { filter, selection } = row;
  const isOldestFirst = filter.sort === 'oldest';
  return (
    <table
      id={LIST_ID}
      tabIndex={-1}
      className={styles.table}
      aria-label="Leads"
      aria-busy={isLoading}
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
          <th scope="col" data-column="Date" aria-sort={isOldestFirst ? 'ascending' : 'descending'}>
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
        {instead && (
          <tr className={styles.instead}>
            <td colSpan={7}>{instead}</td>
          </tr>
        )}
        {leads.map((lead) => (
          <LeadRow key={lead.id} lead={lead} {...row} />
        ))}
      </tbody>
    </table>
  );
}

type LeadRowProps = Omit<LeadTableProps, 'leads' | 'isLoading' | 'instead'> & { lead: ListedLead };

function LeadRow({ lead, filter, selection, stages, endings, now, halt, ...retry }: LeadRowProps) {
  const { openId, linkTo } = useOpenLead();
  const open = useOpenOnClick(lead.id);
  const { id, fullName, email, company, utmSource, utmCampaign } = lead;
  const name = fullName ?? email;
  const place = describePlace(lead);
  const stage =
    describeStage(stages[id], endings[id], now) ??
    (filter.checkout === 'abandoned' ? 'Abandoned' : undefined);
  const isSent = fullName !== null;
  return (
    <tr
      id={toRowId(id)}
      onClick={open}
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
        {stage && <Line small text={stage} />}
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
          {canRetry(lead) && <RetryButton lead={lead} {...retry} />}
        </div>
      </td>
      <td data-column="Date">
        <Moment at={lead.submittedAt} />
      </td>
    </tr>
  );
}

type RetryButtonProps = Pick<LeadTableProps, 'retrying' | 'onRetry'> & { lead: ListedLead };

/** Retries a failed lead, sends one that is quarantined, or corrects a refused address. */
function RetryButton({ lead, retrying, onRetry }: RetryButtonProps) {
  const { openCorrection } = useOpenLead();
  const name = lead.fullName ?? lead.email;
  const isWrong = needsCorrection(lead);
  const isQuarantined = shownStatus(lead) === 'quarantined';
  const label = isWrong ? 'Correct the address of' : isQuarantined ? 'Send to Beehiiv:' : 'Retry';
  return (
    <Button
      look="line"
      size="small"
      aria-label={`${label} ${name}`}
      // Short, so that the columns keep their widths.
      pendingLabel="..."
      pending={retrying.has(lead.id)}
      onClick={() => (isWrong ? openCorrection(lead.id) : onRetry(lead))}
    >
      {isWrong ? 'Correct…' : isQuarantined ? 'Send…' : 'Retry'}
    </Button>
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
