import type { OperatorAction } from '@site/schema/console';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { ConsoleView } from '../navigation/console-views.ts';
import { useOpenLead } from '../navigation/open-lead.ts';
import { formatDated } from '../time/london-time.ts';
import { ACTION_LABELS, countLeads, describeErased, describeExport } from './action-labels.ts';
import styles from './ActivityView.module.css';

/** What an operator did as a sentence, with links to what it was about. */
export function ActionSentence({ action: { action, subject, detail, lead } }: { action: OperatorAction }) {
  const { linkTo } = useOpenLead();
  const number = (name: string) => (typeof detail[name] === 'number' ? detail[name] : 0);
  const theLead = lead ? (
    <>
      <Link to={{ search: linkTo(lead.id) }}>
        <bdi>{lead.name}</bdi>
      </Link>
      {lead.email !== lead.name && (
        <>
          {' '}
          <bdi className={styles.id}>{lead.email}</bdi>
        </>
      )}
    </>
  ) : (
    'a lead that is no longer stored'
  );
  switch (action) {
    case 'remedy':
      return (
        <>
          {ACTION_LABELS[action]}: {theLead}
        </>
      );
    case 'read-lead':
      return <>Opened the lead {theLead}</>;
    case 'export-leads':
      return describeExport(detail);
    case 'retry':
      return subject === null ? `Retried ${countLeads(number('retried'))}` : <>Retried {theLead}</>;
    case 'retry-run':
      return (
        <>
          Started a <ToView view="runs">bulk retry</ToView> of {countLeads(number('total'))}
        </>
      );
    case 'retry-run-stop':
      return (
        <>
          Stopped a <ToView view="runs">bulk retry</ToView>: {countLeads(number('returned'))} not retried
        </>
      );
    case 'correct':
      return (
        <>
          Corrected the address of {theLead}
          {typeof detail['correctedTo'] === 'string' && (
            <>
              {' '}
              with a <Link to={{ search: linkTo(detail['correctedTo']) }}>new lead</Link>
            </>
          )}
        </>
      );
    case 'complimentary':
      return (
        <>
          <ToView view="money">Changed complimentary access</ToView> of {theLead}, until{' '}
          {typeof detail['until'] === 'string' ? formatDated(new Date(detail['until'])) : 'an unknown date'}
        </>
      );
    case 'export-person':
      return `Exported a person’s data: ${countLeads(number('leads'))}`;
    case 'erase-person':
      return (
        <>
          <ToView view="people">Erased a person</ToView>: {describeErased(detail)}
        </>
      );
    case 'refund':
    case 'cancel-subscription':
    case 'review-refund':
    case 'correct-payer':
    case 'change-delivery':
    case 'review-mismatch':
    case 'review-second':
    case 'review-stripe-event':
    case 'read-stripe-event':
      return (
        <>
          <ToView view="money">{ACTION_LABELS[action]}</ToView> <code className={styles.id}>{subject}</code>
        </>
      );
    case 'login-failed':
      return subject === null ? ACTION_LABELS[action] : `Failed to log in as ${subject}`;
    default:
      return (
        <>
          {ACTION_LABELS[action] ?? action} {subject !== null && <bdi>{subject}</bdi>}
        </>
      );
  }
}

function ToView({ view, children }: { view: ConsoleView; children: ReactNode }) {
  return <Link to={{ search: `view=${view}` }}>{children}</Link>;
}
