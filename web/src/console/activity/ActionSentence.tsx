import type { OperatorAction } from '@site/schema/calls/audit';
import { formatMoney } from '@site/schema/currency';
import { isActionName, isEndOfAccess, OPERATOR_ACTIONS } from '@site/schema/operator-actions';
import { createElement, Fragment } from 'react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { countOf } from '../shared/format-count.ts';
import { describeDates } from '../lead/filter-labels.ts';
import { toQuery } from '../shared/filter-params.ts';
import { findHeading } from '../../ui/find-heading.ts';
import { RECEIPTS } from '../navigation/console-views.ts';
import { useOpenLead } from '../navigation/open-lead.ts';
import { toPerson } from '../navigation/person.ts';
import { formatDate } from '../shared/london-time.ts';
import {
  ACTION_LABELS,
  countLeads,
  describeErased,
  describeExport,
  describeListed,
  describeRemedy,
  nameReceipt,
} from './action-labels.ts';
import styles from './ActivityView.module.css';

/** What an operator did as a sentence, with links to what it was about, and the lead's address after it. */
export function ActionSentence({ action }: { action: OperatorAction }) {
  const { lead } = action;
  const address = lead && lead.email !== lead.name && (
    <span className={styles.id}>
      <bdi>{lead.email}</bdi>
    </span>
  );
  return say(<Sentence action={action} />, address && ' ', address);
}

function Sentence({ action: { at, action, subject, detail, lead } }: { action: OperatorAction }) {
  const { linkTo } = useOpenLead();
  const number = (name: string) => (typeof detail[name] === 'number' ? detail[name] : 0);
  const isPerson = detail['of'] === 'person' || action === 'export-person';
  const theLead = lead ? (
    <Link to={{ search: isPerson ? toPerson(lead.id) : linkTo(lead.id) }}>
      <bdi>{lead.name}</bdi>
    </Link>
  ) : (
    'a lead that is no longer stored'
  );
  const toRun = (words: string) => (
    <Link to={{ search: toQuery({ retryRun: subject ?? undefined }) }}>{words}</Link>
  );
  // The name beside it leads to the person.
  const did = (words: string) => (lead ? words : toMoney(words));
  const thePayer = lead
    ? theLead
    : say('a person without a lead ', <code className={styles.id}>{subject}</code>);
  switch (action) {
    case 'remedy':
      return say(
        toMoney(describeRemedy(detail)),
        ': ',
        subject === null ? 'a person without a lead' : theLead,
      );
    case 'read-lead':
      return say('Opened ', lead && (isPerson ? 'the page of ' : 'the lead '), theLead);
    case 'read-lists':
      return describeListed(at, detail);
    case 'contact-abandoned':
      return say('Contacted ', theLead, ' about an abandoned checkout');
    case 'contact-undone':
      return say('Took back that ', theLead, ' was contacted about an abandoned checkout');
    case 'note':
      return say('Wrote a note about ', theLead);
    case 'delete-note':
      return say('Deleted a note about ', theLead);
    case 'export-leads':
      return describeExport(detail);
    case 'retry':
      if (detail['fromQuarantine'] === true) return say('Sent ', theLead, ' to Beehiiv');
      return subject === null
        ? `Retried ${countLeads(number('retried'))}`
        : say('Retried ', theLead);
    case 'retry-run':
      return detail['fromQuarantine'] === true
        ? say(toRun('Sent'), ` ${countOf(number('total'), 'quarantined lead')} to Beehiiv`)
        : say('Started a ', toRun('bulk retry'), ` of ${countLeads(number('total'))}`);
    case 'retry-run-stop':
      return say(
        'Stopped a ',
        toRun('bulk retry'),
        `: ${countLeads(number('returned'))} not retried`,
      );
    case 'correct': {
      const to = detail['correctedTo'];
      const newLead = lead && typeof to === 'string' && (
        <Link to={{ search: linkTo(to) }}>new lead</Link>
      );
      return say(
        'Corrected the address',
        newLead && ' (',
        newLead,
        newLead && ')',
        ' of ',
        theLead,
      );
    }
    case 'complimentary': {
      if (typeof detail['until'] !== 'string')
        return say(did('Gave free access'), ' to ', theLead, ' with a subscription');
      const until = detail['until'];
      return isEndOfAccess(until, at)
        ? say(did('Ended free access'), ' of ', theLead)
        : say(did('Gave free access'), ' to ', theLead, ` until ${formatDate(new Date(until))}`);
    }
    case 'export-person':
      return lead ? say('Exported the data of ', theLead) : ACTION_LABELS[action];
    case 'erase-person':
      // The receipts stand above what was done.
      return say(
        <Link to={{ search: RECEIPTS }} onClick={() => requestAnimationFrame(showReceipts)}>
          Erased a person
        </Link>,
        `: ${describeErased(detail)}${subject === null ? '' : `, receipt ${nameReceipt(subject)}`}`,
      );
    case 'refund': {
      const currency = typeof detail['currency'] === 'string' ? detail['currency'] : null;
      return say(did('Refunded'), ` ${formatMoney(number('pence'), currency)} to `, thePayer);
    }
    case 'cancel-subscription': {
      const when =
        detail['when'] === 'now' ? ' at once' : ', which runs until its trial or period ends';
      return say(did('Cancelled the subscription'), ' of ', thePayer, when);
    }
    case 'resume-subscription':
      return say(did('Undid the cancellation'), ' of the subscription of ', thePayer);
    case 'delete-quarantined':
      return `Deleted ${countOf(number('deleted'), 'quarantined lead')}`;
    case 'export-payments':
      return `${ACTION_LABELS[action]}, ${describeDates(detail)}`;
    case 'login-failed':
      return subject === null ? ACTION_LABELS[action] : `Failed to log in as ${subject}`;
    default: {
      const words = isActionName(action) ? ACTION_LABELS[action] : action;
      const about = isActionName(action) ? OPERATOR_ACTIONS[action] : 'none';
      if (about === 'subscription' || about === 'refund') return say(did(words), ' of ', thePayer);
      if (about === 'event')
        return say(toMoney(words), ' ', <code className={styles.id}>{subject}</code>);
      return say(words, ' ', subject !== null && <bdi>{subject}</bdi>);
    }
  }
}

/** The parts of a sentence, one after the other. */
const say = (...parts: ReactNode[]) => createElement(Fragment, null, ...parts);
const toMoney = (words: string) => <Link to={{ search: 'view=money' }}>{words}</Link>;

/** After the link has been followed, so that Back leads to it. */
function showReceipts(): void {
  window.scrollTo({ top: 0 });
  findHeading()?.focus({ preventScroll: true });
}
