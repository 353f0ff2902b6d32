import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { CallSent } from '@site/schema/calls/calls';
import { MAX_TROUBLES } from '@site/schema/calls/money-troubles';
import { bind } from './money-people.ts';
import type { Moment } from './money-people.ts';

type Troubles = CallSent<'GET /api/admin/money/troubles'>;
type Person = Troubles['people'][number];
type TroubleRow = Omit<Person, 'troubles'> &
  Person['troubles'][number] & { payer: string; at: Date };

/**
 * Lists disputes, failed payments and refunds of the period by person, and all that are open if it is not over: disputes that
 * are open, those to answer by their deadline before those that the bank decides, then refunds and whatever else is to review,
 * failed payments, and what needs nothing.
 */
export async function listTroubles(db: Database, moment: Moment): Promise<Troubles> {
  const rows = await query<TroubleRow>(
    db,
    `select troubles.*, s.cancel_at as ends_at, s.email, s.name, s.lead_id,
       coalesce(s.email_normalised, s.erased_payer::text, s.stripe_customer_id) as payer
     from (
       select 'dispute' as kind, d.id, d.stripe_subscription_id, d.opened_at as at, d.amount_pence as pence, d.currency,
         i.paid_at, coalesce(i.number, d.stripe_invoice_id) as invoice, d.reason, d.status, d.is_open,
         d.evidence_due_at as due_at, null as payment_url, null as operator
       from stripe_disputes d left join stripe_invoices i on i.id = d.stripe_invoice_id
       where d.is_open and not :isOver or d.opened_at >= :from and d.opened_at < :to
       union all
       select 'refund', r.id, r.stripe_subscription_id, r.refunded_at, r.amount_pence, r.currency, i.paid_at,
         coalesce(i.number, r.stripe_invoice_id), r.failure_reason, r.status, r.status = 'failed' and r.reviewed_at is null,
         null, null, (select operator from operator_actions
           where subject = r.stripe_subscription_id and action = 'refund' and detail->>'refund' = r.id limit 1)
       from stripe_refunds r left join stripe_invoices i on i.id = r.stripe_invoice_id
       where r.status <> 'canceled' and (r.status = 'failed' and r.reviewed_at is null and not :isOver
         or r.refunded_at >= :from and r.refunded_at < :to)
       union all
       select 'failed', i.id, s.stripe_subscription_id, i.issued_at, coalesce(i.remaining_pence, i.total_pence - i.paid_pence),
         i.currency, i.paid_at, coalesce(i.number, i.id), null, s.status, true, s.next_payment_attempt_at, s.payment_url, null
       from subscriptions s join stripe_invoices i on i.id = s.latest_invoice_id
       where s.status in ('past_due', 'unpaid') and i.attempts > 0 and i.status <> 'paid'
         and coalesce(i.remaining_pence, i.total_pence - i.paid_pence) > 0
         and (not :isOver or i.issued_at >= :from and i.issued_at < :to)
     ) troubles join subscriptions s using (stripe_subscription_id)
     order by (kind = 'dispute' and is_open) desc, troubles.status like '%under_review',
       case when kind = 'dispute' and is_open then due_at end nulls last,
       (kind = 'refund' and is_open or s.stripe_subscription_id in (select stripe_subscription_id from concerns where is_open)) desc,
       is_open desc, at desc, troubles.id
     limit :limit`,
    { ...bind(moment), limit: MAX_TROUBLES + 1 },
  );
  return { people: byPerson(rows.slice(0, MAX_TROUBLES)), isCapped: rows.length > MAX_TROUBLES };
}

/** Groups troubles by payer, who comes with the most urgent one. Of each, the newest comes first. */
function byPerson(rows: readonly TroubleRow[]): Person[] {
  const people = new Map<string, Person>();
  for (const { payer, stripeSubscriptionId, email, name, leadId, ...trouble } of rows) {
    const person = people.get(payer) ?? { stripeSubscriptionId, email, name, leadId, troubles: [] };
    const older = person.troubles.findIndex(({ at }) => at < trouble.at);
    person.troubles.splice(older < 0 ? Infinity : older, 0, trouble);
    people.set(payer, person);
  }
  return [...people.values()];
}
