import type { ListedLead } from '@site/schema/stored-lead';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Marked } from '../shared/Marked.tsx';
import { describeButton, FORM_TYPE_NAMES, describePlace } from '../lead/lead-labels.ts';
import { foundCompany, stageOf } from './lead-rows.ts';
import type { LeadRows } from './lead-rows.ts';
import { LeadStatus } from '../lead/LeadStatus.tsx';
import styles from './LeadTable.module.css';
import { RetryButton } from './RetryButton.tsx';
import { TickBox } from './TickBox.tsx';
import { toRowId } from '../shared/use-current-row.ts';
import { useOpenLead, useOpenOnClick } from '../navigation/open-lead.ts';
import { Moment } from '../shared/Moment.tsx';

export function LeadRow({ lead, rows }: { lead: ListedLead; rows: LeadRows }) {
  const { linkTo } = useOpenLead();
  const open = useOpenOnClick(lead.id);
  const place = describePlace(lead);
  const stage = stageOf(lead, rows);
  const company = foundCompany(lead, rows);
  return (
    <tr
      id={toRowId(lead.id)}
      className={styles.row}
      onClick={open}
      tabIndex={-1}
      data-new={rows.isNew(lead) || undefined}
      aria-current={lead.id === (rows.openId ?? rows.currentId) || undefined}
    >
      <td className={styles.tick}>
        <TickBox
          label={`Select ${lead.fullName ?? lead.email}`}
          isTicked={rows.selection.ids.has(lead.id)}
          onToggle={(withShift) => rows.selection.toggle(lead, withShift)}
        />
      </td>
      <th scope="row" className={styles.contact}>
        <Link className={styles.open} to={{ search: linkTo(lead.id) }}>
          <Line strong text={lead.fullName ?? lead.email}>
            <Marked text={lead.fullName ?? lead.email} words={rows.words} />
          </Line>
        </Link>
        {lead.fullName === null ? (
          <Line small text={lead.company ?? 'No name given'}>
            <Marked text={lead.company ?? 'No name given'} words={lead.company ? rows.words : ''} />
          </Line>
        ) : (
          <Line small text={lead.email}>
            <Marked text={lead.email} words={rows.words} />
          </Line>
        )}
        {company && (
          <Line small text={company}>
            <Marked text={company} words={rows.words} />
          </Line>
        )}
      </th>
      <td className={styles.formType}>
        <Line text={FORM_TYPE_NAMES[lead.formType]} />
        {stage && <Line small text={stage} />}
      </td>
      <td className={styles.source}>
        <Line text={lead.utmSource ?? 'Not known'}>{describeButton(lead.utmSource ?? '')}</Line>
        {lead.utmCampaign !== null && (
          <span className={styles.campaign}>
            <Line small text={lead.utmCampaign} />
          </span>
        )}
        <span className={styles.place}>
          <Line small text={place ?? 'Not known'} />
        </span>
      </td>
      <td className={styles.location}>
        <Line text={place ?? 'Not known'} />
      </td>
      <td className={styles.beehiiv}>
        <div className={styles.progress}>
          <LeadStatus lead={lead} now={rows.now} halt={rows.halt} />
          <RetryButton lead={lead} rows={rows} />
        </div>
      </td>
      <td className={styles.date}>
        <Moment at={lead.submittedAt} now={rows.now} />
      </td>
    </tr>
  );
}

type LineProps = { text: string; strong?: boolean; small?: boolean; children?: ReactNode };

/** A line that is cut off rather than wrapped, with the whole text as its tooltip. Text may be right-to-left. */
function Line({ text, strong = false, small = false, children = text }: LineProps) {
  return (
    <bdi
      className={styles.line}
      data-strong={strong || undefined}
      data-small={small || undefined}
      title={text}
    >
      {children}
    </bdi>
  );
}
