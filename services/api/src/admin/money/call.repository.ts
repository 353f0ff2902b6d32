import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import { lockPeople } from '@site/platform/people/person';
import { formatLongDate, londonDate } from '@site/schema/calendar';
import type { CallSent } from '@site/schema/calls/calls';
import { CALL_DAYS, MAX_CALLS } from '@site/schema/calls/money';
import { toDeclineText } from '@site/schema/declines';
import type { Decline } from '@site/schema/declines';
import { CHECKOUT_HINDRANCES, NOT_RECEIVING_REASONS } from '@site/schema/money';
import type { NotReceivingReason } from '@site/schema/money';
import { recordAction } from '../../audit/audit.repository.ts';
import { lockSubscription } from '../../billing/storing/subscription.repository.ts';
import { listAbandoned } from './abandoned.repository.ts';

type Calls = CallSent<'GET /api/admin/money/calls'>;
type Person = Calls['people'][number];
/** A payer whose payment failed, or who does not receive. */
type Payer = Omit<Person, 'text' | 'since'> & {
  since: Date;
  reason: string | null;
  attempts: number;
  decline: Decline | null;
  nextAttemptAt: Date | null;
};

const DAY_MS = 86_400_000;

/**
 * Lists whom to call today, the newest first: people with an email or a phone who opened a checkout
 * in the last day and did not pay, could not pay in the last week, whose payment failed, or who pay
 * and do not receive. Leaves out whoever was contacted about it. An erased person has neither.
 */
export async function listCalls(db: Database, now: Date): Promise<Calls> {
  const startDate = londonDate(new Date(now.getTime() - CALL_DAYS * DAY_MS));
  const [checkouts, payers] = await Promise.all([
    listAbandoned(db, { startDate, endDate: undefined }),
    listPayers(db),
  ]);
  const unpaid = checkouts.people
    .map(({ id, leadId, name, email, phone, plan, pence, ...checkout }) => ({
      checkout,
      person: { id, leadId, name, email, phone, plan, pence, invoiceId: null },
      since: new Date(checkout.startedAt),
    }))
    .filter(
      ({ checkout, person, since }) =>
        checkout.contactedAt === null &&
        (person.email ?? person.phone) !== null &&
        (checkout.hindrance !== null || +since > +now - DAY_MS),
    )
    .map(({ checkout: { hindrance }, person, since }) => ({
      ...person,
      since,
      ...(hindrance
        ? { kind: 'hindered' as const, text: `Could not pay: ${CHECKOUT_HINDRANCES[hindrance]}` }
        : { kind: 'unpaid' as const, text: 'Opened a checkout, and has not paid' }),
    }));
  const people = [...unpaid, ...payers.map(toCall)].toSorted((a, b) => +b.since - +a.since);
  return {
    people: people.slice(0, MAX_CALLS),
    isCapped: checkouts.isCapped || people.length > MAX_CALLS,
  };
}

/** Lists payers by their own subscription, one more than are shown. */
const listPayers = (db: Database) =>
  query<Payer>(
    db,
    `select s.id, call.kind, person.state_reason as reason, call.since, lead.id as lead_id,
       person.name, person.email, coalesce(s.phone, lead.phone) as phone, s.plan,
       case when not 'price' = any(s.unread_parts) then s.amount_pence end as pence,
       case when call.kind = 'payment-failed' then s.latest_invoice_id end as invoice_id,
       case when invoice.decline_code is not null then json_build_object(
         'code', invoice.decline_code, 'brand', card_brand, 'last4', card_last4) end as decline,
       s.payment_attempts as attempts, s.next_payment_attempt_at as next_attempt_at
     from people person
       join subscriptions s on s.stripe_subscription_id = case person.state
         when 'not-receiving' then person.entitled_by else person.main_subscription end
       left join stripe_invoices invoice on invoice.id = s.latest_invoice_id
       cross join lateral (
         select coalesce(person.state_since, s.started_at, s.created_at) as since,
           -- Stripe gave up on an unsettled payment.
           case person.state when 'unsettled' then 'payment-failed' else person.state end as kind
       ) call
       left join lateral (
         select id, phone from leads where leads.email_normalised = person.email_normalised
         order by phone is null, submitted_at desc limit 1
       ) lead on true
     where person.state in ('not-receiving', 'payment-failed', 'unsettled')
       and s.email_normalised = person.email_normalised
       and (person.state = 'not-receiving' or not s.is_collection_paused)
       and (person.state <> 'unsettled' or person.state_reason = 'no-retries')
       and coalesce(s.contacted_at < call.since, true)
     order by call.since desc limit ${MAX_CALLS + 1}`,
  );

function toCall({
  reason,
  attempts,
  nextAttemptAt,
  decline,
  ...payer
}: Payer): Person & { since: Date } {
  const text =
    payer.kind === 'not-receiving'
      ? `Pays, but does not receive: ${NOT_RECEIVING_REASONS[reason as NotReceivingReason].label}`
      : [
          'Payment failed',
          decline && toDeclineText(decline),
          toAttemptsText(attempts, nextAttemptAt),
        ]
          .filter(Boolean)
          .join('. ');
  return { ...payer, text };
}

/** Returns `2 attempts, next on Monday 3 August`. */
function toAttemptsText(attempts: number, nextAt: Date | null): string {
  const tried = attempts === 1 ? '1 attempt' : `${attempts} attempts`;
  return nextAt === null
    ? `${tried}. Stripe will not try again`
    : `${tried}, next on ${formatLongDate(nextAt, true)}`;
}

/**
 * Records that somebody was contacted about a checkout or a subscription, or undoes the record.
 * Returns false for a checkout that was paid, and for an erased payer.
 */
export async function noteContact(
  db: Database,
  operator: string,
  id: string,
  isContacted: boolean,
): Promise<boolean> {
  return db.transaction(async (trx) => {
    const payer = await trx('subscriptions').where({ id }).whereNotNull('email').first();
    if (payer) {
      // In this order, because a change of a subscription judges its person.
      await lockSubscription(trx, payer.stripeSubscriptionId);
      await lockPeople(trx, [payer.email]);
    }
    const row = payer
      ? trx('subscriptions').where({ id }).whereNotNull('email')
      : trx('checkouts').where({ id }).whereIn('state', ['open', 'abandoned', 'not-opened']);
    const call = await row.clone().forUpdate().first('leadId', 'contactedAt');
    if (!call) return false;
    // A payer may be called again, about something new.
    const isRepeat = (call.contactedAt !== null) === isContacted;
    if (isRepeat && !(payer && isContacted)) return true;
    await row.update({ contactedAt: isContacted ? trx.fn.now() : null });
    const action = isContacted ? 'contact' : 'contact-undone';
    await recordAction(trx, { operator, action, subject: call.leadId ?? id });
    return true;
  });
}
