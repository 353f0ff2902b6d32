import type { ListedLead } from '@site/schema/stored-lead';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Skeleton } from '../shared/Skeleton.tsx';
import { Marked } from '../shared/Marked.tsx';
import { describeButton, describePlace, FORM_TYPE_NAMES } from '../lead/lead-labels.ts';
import { LIST_ID } from '../shared/page-content.ts';
import { foundCompany, stageOf } from './lead-rows.ts';
import type { LeadRows } from './lead-rows.ts';
import styles from './LeadCards.module.css';
import { LeadStatus } from '../lead/LeadStatus.tsx';
import { describeMoment, formatFully } from '../shared/london-time.ts';
import { RetryButton } from './RetryButton.tsx';
import { TickBox } from './TickBox.tsx';
import { toRowId } from '../shared/use-current-row.ts';
import { useOpenLead, useOpenOnClick } from '../navigation/open-lead.ts';

type LeadCardsProps = { rows: LeadRows; canSelectAll: boolean; instead: ReactNode };

/** One card for each lead, where the screen is too narrow for a table. */
export function LeadCards({ rows, canSelectAll, instead }: LeadCardsProps) {
  return (
    <ul
      id={LIST_ID}
      tabIndex={-1}
      className={styles.cards}
      aria-label="Leads"
      aria-busy={rows.isLoading}
    >
      {rows.isLoading && (
        <li>
          <Skeleton rows={15} />
        </li>
      )}
      {instead && <li>{instead}</li>}
      {canSelectAll && rows.leads.length > 0 && (
        <li className={styles.all}>
          <TickBox
            label="Select all shown"
            isShown
            isTicked={rows.selection.isAll}
            isMixed={rows.selection.isMixed}
            onToggle={rows.selection.toggleAll}
          />
        </li>
      )}
      {rows.leads.map((lead) => (
        <LeadCard key={lead.id} lead={lead} rows={rows} />
      ))}
    </ul>
  );
}

function LeadCard({ lead, rows }: { lead: ListedLead; rows: LeadRows }) {
  const { linkTo } = useOpenLead();
  const open = useOpenOnClick(lead.id);
  const at = new Date(lead.submittedAt);
  const stage = stageOf(lead, rows);
  const company = foundCompany(lead, rows);
  const source = lead.utmSource && describeButton(lead.utmSource);
  const origin = [FORM_TYPE_NAMES[lead.formType], stage, source, describePlace(lead)]
    .filter(Boolean)
    .join(', ');
  return (
    // The link inside is for the keyboard.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions -- a larger target of that link
    <li
      id={toRowId(lead.id)}
      className={styles.card}
      onClick={open}
      tabIndex={-1}
      data-new={rows.isNew(lead) || undefined}
      aria-current={lead.id === rows.currentId || undefined}
    >
      <div className={styles.name} title={lead.fullName ?? lead.email}>
        <Link to={{ search: linkTo(lead.id) }}>
          <Marked text={lead.fullName ?? lead.email} words={rows.words} />
        </Link>
      </div>
      <time className={styles.time} dateTime={lead.submittedAt} title={formatFully(at)}>
        {describeMoment(at, rows.now)}
      </time>
      <div className={styles.small}>
        {lead.fullName === null ? (
          <p>
            <Marked text={lead.company ?? 'No name given'} words={lead.company ? rows.words : ''} />
          </p>
        ) : (
          <p title={lead.email}>
            <Marked text={lead.email} words={rows.words} />
          </p>
        )}
        {company && (
          <p>
            <Marked text={company} words={rows.words} />
          </p>
        )}
        <p>
          <bdi>{origin}</bdi>
        </p>
      </div>
      <div className={styles.tick}>
        <TickBox
          label={`Select ${lead.fullName ?? lead.email}`}
          isTicked={rows.selection.ids.has(lead.id)}
          onToggle={(withShift) => rows.selection.toggle(lead, withShift)}
        />
      </div>
      <div className={styles.progress}>
        <LeadStatus lead={lead} now={rows.now} halt={rows.halt} />
        <RetryButton lead={lead} rows={rows} />
      </div>
    </li>
  );
}
