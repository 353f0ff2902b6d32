import type { OperatorAction } from '@site/schema/calls/audit';
import { formatMoney } from '@site/schema/currency';
import { isActionName, isEndOfAccess } from '@site/schema/operator-actions';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import nameStyles from '../elements/NameLink.module.css';
import { RECEIPTS } from '../navigation/console-views.ts';
import type { ConsoleView } from '../navigation/console-views.ts';
import { useOpenLead } from '../navigation/open-lead.ts';
import { toPerson } from '../navigation/person.ts';
import { formatDate } from '../time/london-time.ts';
import {
  ACTION_LABELS,
  countLeads,
  describeErased,
  describeExport,
  describeListed,
  describeRemedy,
} from './action-labels.ts';
import styles from './ActivityView.module.css';

/** What an operator did as a sentence, with links to what it was about, and the lead's address after it. */
export function ActionSentence({ action }: { action: OperatorAction }) {
  const { lead } = action;
  return (
    <>
      <Sentence action={action} />
      {lead && lead.email !== lead.name && (
        <>
          {' '}
          <bdi className={styles.id}>{lead.email}</bdi>
        </>
      )}
    </>
  );
}

function Sentence({ action: { at, action, subject, detail, lead } }: { action: OperatorAction }) {
  const { linkTo } = useOpenLead();
  const number = (name: string) => (typeof detail[name] === 'number' ? detail[name] : 0);
  const isPerson = detail['of'] === 'person';
  const theLead = lead ? (
    <Link className={nameStyles.name} to={{ search: isPerson ? toPerson(lead.id) : linkTo(lead.id) }}>
      <bdi>{lead.name}</bdi>
    </Link>
  ) : (
    'a lead that is no longer stored'
  );
  const thePayer = lead ? (
    theLead
  ) : (
    <>
      a person without a lead <code className={styles.id}>{subject}</code>
    </>
  );
  switch (action) {
    case 'remedy':
      return (
        <>
          <ToView view="money">{describeRemedy(detail)}</ToView>:{' '}
          {subject === null ? 'a person without a lead' : theLead}
        </>
      );
    case 'read-lead':
      return (
        <>
          Opened {lead && (isPerson ? 'the page of ' : 'the lead ')}
          {theLead}
        </>
      );
    case 'read-lists':
      return describeListed(detail);
    case 'contact-abandoned':
      return <>Contacted {theLead} about an abandoned checkout</>;
    case 'note':
      return <>Wrote a note about {theLead}</>;
    case 'export-leads':
      return describeExport(detail);
    case 'retry':
      if (detail['fromQuarantine'] === true) return <>Sent {theLead} to Beehiiv</>;
      return subject === null ? `Retried ${countLeads(number('retried'))}` : <>Retried {theLead}</>;
    case 'retry-run':
      return (
        <>
          Started a <ToView view="sync">bulk retry</ToView> of {countLeads(number('total'))}
        </>
      );
    case 'retry-run-stop':
      return (
        <>
          Stopped a <ToView view="sync">bulk retry</ToView>: {countLeads(number('returned'))} not retried
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
    case 'complimentary': {
      const until = typeof detail['until'] === 'string' ? detail['until'] : at;
      return isEndOfAccess(until, at) ? (
        <>
          <ToView view="money">Ended complimentary access</ToView> of {theLead}
        </>
      ) : (
        <>
          <ToView view="money">Gave complimentary access</ToView> to {theLead} until {formatDate(new Date(until))}
        </>
      );
    }
    case 'export-person':
      return `Exported a person’s data: ${countLeads(number('leads'))}`;
    case 'erase-person':
      return (
        <>
          <Link to={{ search: RECEIPTS }}>Erased a person</Link>: {describeErased(detail)}
        </>
      );
    case 'refund':
      return (
        <>
          <ToView view="money">Refunded</ToView>{' '}
          {formatMoney(number('pence'), typeof detail['currency'] === 'string' ? detail['currency'] : null)} to{' '}
          {thePayer}
        </>
      );
    case 'cancel-subscription':
      return (
        <>
          <ToView view="money">Cancelled the subscription</ToView> of {thePayer}{' '}
          {detail['when'] === 'now' ? 'at once' : 'from the end of its period'}
        </>
      );
    case 'correct-payer':
    case 'restore-customer':
    case 'change-delivery':
    case 'resume-subscription':
    case 'open-invoice':
    case 'review-subscription':
    case 'review-refund':
    case 'review-mismatch':
    case 'review-second':
      return (
        <>
          <ToView view="money">{ACTION_LABELS[action]}</ToView> of {thePayer}
        </>
      );
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
          {isActionName(action) ? ACTION_LABELS[action] : action} {subject !== null && <bdi>{subject}</bdi>}
        </>
      );
  }
}

function ToView({ view, children }: { view: ConsoleView; children: ReactNode }) {
  return <Link to={{ search: `view=${view}` }}>{children}</Link>;
}
