import type { OperatorAction } from '@site/schema/calls/audit';
import { leadFilterQuery, PERSONAL_FILTERS } from '@site/schema/calls/lead-filter';
import { STATE_NAMES } from '@site/schema/labels';
import { formatMoney } from '@site/schema/money';
import { GROUP_NAMES } from '@site/schema/people-order';
import type { PeopleGroup } from '@site/schema/people-order';
import type { PeopleList } from '@site/schema/person-state';
import { isActionName, isEndOfAccess } from '@site/schema/operator-actions';
import type { ActionName } from '@site/schema/operator-actions';
import { Link } from 'react-router-dom';
import { toDatesText, toFilterText } from '../lead/filter-labels.ts';
import { RECEIPTS, useOpenLead } from '../navigation.ts';
import { toQuery } from '../shared/filter.ts';
import { countOf, countRows, formatDate, formatDateTime, formatTime } from '../shared/format.ts';
import styles from './ActivityView.module.css';

export const ACTION_LABELS: Record<ActionName, string> = {
  login: 'Logged in',
  'login-failed': 'Failed to log in',
  logout: 'Logged out',
  'sign-out-everywhere': 'Logged out everywhere',
  'sign-out-others': 'Logged out everywhere else',
  'end-session': 'Logged out one of their other browsers',
  'password-change': 'Changed their password',
  'two-step-login-on': 'Turned two-step login on',
  'two-step-login-off': 'Turned two-step login off',
  'recovery-codes': 'Replaced their recovery codes',
  'opening-view': 'Chose the view after their login',
  'read-lead': 'Opened a lead or a person',
  'read-lists': 'Looked at lists',
  'export-leads': 'Exported leads',
  'export-people': 'Exported people',
  'delete-quarantined': 'Deleted quarantined leads',
  'export-payments': 'Exported payments',
  probe: 'Tried Beehiiv again at once',
  retry: 'Retried or sent',
  'bulk-retry': 'Started a bulk retry',
  'bulk-retry-stop': 'Stopped a bulk retry',
  correct: 'Corrected an email',
  'correct-payer': 'Corrected a payer’s email',
  refund: 'Refunded',
  'payment-link': 'Made a payment link',
  'free-access': 'Gave free access',
  'cancel-subscription': 'Cancelled a subscription',
  'resume-subscription': 'Undid a cancellation',
  'open-invoice': 'Fetched the link to an invoice',
  'test-mail': 'Sent a test email',
  note: 'Wrote a note',
  'delete-note': 'Deleted a note',
  'export-person': 'Exported a person’s data',
  'erase-person': 'Erased a person',
  contact: 'Contacted a person',
  'contact-undone': 'Took back a contact',
  'review-not-receiving': 'Accepted that a payer does not receive',
  'review-second': 'Reviewed a second subscription',
  'review-subscription': 'Reviewed an unpaid subscription',
  'review-refund': 'Reviewed a failed refund',
  'review-stripe-event': 'Reviewed an unreadable Stripe event',
  'review-undone': 'Took back a review',
  remedy: 'Asked to put a mismatch right',
  compare: 'Asked for a comparison',
  'user-add': 'Added the operator',
  'user-reset': 'Reset the password of the operator',
  'user-password': 'Gave a new one-time password to',
  'user-remove': 'Removed the operator',
};

const nameUser = ({ subject }: OperatorAction) => subject ?? '';

/** The one fact that an action's label needs. */
const FACTS: Partial<Record<ActionName, (action: OperatorAction) => string>> = {
  'login-failed': nameUser,
  'user-add': nameUser,
  'user-reset': nameUser,
  'user-password': nameUser,
  'user-remove': nameUser,
  'export-leads': ({ detail }) => {
    if (typeof detail['selected'] === 'number') return `${detail['selected']} selected`;
    const { data = {} } = leadFilterQuery.safeParse(detail);
    const hidden = PERSONAL_FILTERS.filter(({ recordedAs }) => detail[recordedAs] === true);
    return [toFilterText(data), ...hidden.map(({ words }) => words)].join(', ');
  },
  'export-people': ({ detail: { isSearch, state, group, plan, sort: _, ...dates } }) =>
    [
      isSearch === true && 'a search',
      STATE_NAMES[state as PeopleList],
      GROUP_NAMES[group as PeopleGroup],
      plan,
      Object.keys(dates).length > 0 && `since ${toDatesText(dates)}`,
    ]
      .filter(Boolean)
      .join(', ') || 'everyone',
  'export-payments': ({ detail }) => toDatesText(detail),
  'read-lists': ({ at, detail }) =>
    `${Object.keys(detail).join(', ')} in the hour from ${formatTime(new Date(at))}`,
  retry: ({ lead, detail }) =>
    detail['fromQuarantine'] === true
      ? 'sent from quarantine'
      : lead
        ? ''
        : countIn(detail, 'retried'),
  'bulk-retry': ({ detail }) =>
    `${countIn(detail, 'total')}${detail['fromQuarantine'] === true ? ' from quarantine' : ''}`,
  'delete-quarantined': ({ detail }) => countIn(detail, 'deleted'),
  'free-access': ({ at, detail: { until } }) => {
    if (typeof until !== 'string') return 'with a subscription';
    return isEndOfAccess(until, at) ? '' : `until ${formatDate(new Date(until))}`;
  },
  'payment-link': ({ detail: { until } }) => `until ${formatDateTime(new Date(String(until)))}`,
  'cancel-subscription': ({ detail }) =>
    detail['when'] === 'now' ? 'at once' : 'at the end of its period',
  refund: ({ detail: { pence, currency } }) =>
    formatMoney(Number(pence ?? 0), typeof currency === 'string' ? currency : null),
  'erase-person': ({ subject, detail }) =>
    [toErasedText(detail), subject && `receipt ${nameReceipt(subject)}`].filter(Boolean).join(', '),
};

/** The label of `free-access` if it ended the access. */
export const ENDED_ACCESS = 'Ended free access';

const ASKED: Record<string, string> = {
  'add-again': 'Asked to add a lead again',
  'set-premium': 'Asked to move to the paid list',
  'set-free': 'Asked to move off the paid list',
};

const countIn = (detail: OperatorAction['detail'], name: string) =>
  countOf(typeof detail[name] === 'number' ? detail[name] : 0, 'lead');

/** Renders an operator's action: its label, its lead, and one fact. */
export function Action({ action: { lead, ...action } }: { action: OperatorAction }) {
  const { linkTo } = useOpenLead();
  const { subject, detail } = action;
  const name = isActionName(action.action) ? action.action : undefined;
  const exact =
    name === 'remedy'
      ? ASKED[String(detail['remedy'])]
      : name === 'free-access' && isEndOfAccess(String(detail['until']), action.at)
        ? ENDED_ACCESS
        : undefined;
  const label = exact ?? (name ? ACTION_LABELS[name] : action.action);
  const fact = name && FACTS[name]?.({ lead, ...action });
  const about =
    name === 'bulk-retry' || name === 'bulk-retry-stop'
      ? toQuery({ bulkRetry: subject ?? undefined })
      : name === 'erase-person'
        ? RECEIPTS
        : undefined;
  return (
    <>
      {about === undefined ? label : <Link to={{ search: about }}>{label}</Link>}
      {lead && (
        <>
          {': '}
          <Link to={{ search: linkTo(lead.id) }}>
            <bdi>{lead.name}</bdi>
          </Link>
        </>
      )}
      {fact && `${lead ? ', ' : ': '}${fact}`}
      {lead && lead.email !== lead.name && (
        <>
          {' '}
          <span className={styles.id}>
            <bdi>{lead.email}</bdi>
          </span>
        </>
      )}
    </>
  );
}

/** Returns the end of a receipt's id, as its name. */
export const nameReceipt = (id: string) => id.slice(-8);

/** Returns `2 leads, 3 sync attempts`: the rows that an erasure removed here, by table. */
function toErasedText({ erased, with: other }: OperatorAction['detail']): string {
  if (typeof other === 'string') return 'the other email of the same person';
  return (typeof erased === 'object' && erased && countRows({ ...erased })) || 'nothing was stored';
}
