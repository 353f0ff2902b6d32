import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { CallSent } from '@site/schema/calls/calls';
import { MAX_TROUBLES } from '@site/schema/calls/money-troubles';
import { IS_DISPUTE_OPEN, PAID_BY } from '../../subscriptions/payment.repository.ts';
import { bind, within } from './money-people.ts';
import type { Moment } from './money-people.ts';
import { FAILED, UNPAID } from './money-people.ts';

type Troubles = CallSent<'GET /api/admin/money/troubles'>;
type Person = Troubles['people'][number];
type TroubleRow = Omit<Person, 'troubles'> & Person['troubles'][number] & { payer: string; at: Date };

const OF_INVOICE = `i.currency, i.paid_at, coalesce(i.number, i.id) as invoice`;
const TROUBLES = `
  select 'dispute' as kind, d.id, i.stripe_subscription_id, d.opened_at as at, d.amount_pence as pence, ${OF_INVOICE}, d.reason,
    d.status, ${IS_DISPUTE_OPEN} as is_open, d.evidence_due_at as due_at, null as payment_url, null as operator
    from stripe_disputes d ${PAID_BY} where ${IS_DISPUTE_OPEN} or ${within('d.opened_at')}
  union all
  select 'refund', r.id, i.stripe_subscription_id, r.refunded_at, r.amount_pence, ${OF_INVOICE}, r.failure_reason, r.status, false,
    null, null, (select operator from operator_actions where subject = i.stripe_subscription_id and action = 'refund'
      and detail->>'refund' = r.id limit 1)
    from stripe_refunds r ${PAID_BY} where r.status <> 'canceled' and ${within('r.refunded_at')}
  union all
  select 'failed', i.id, s.stripe_subscription_id, i.issued_at, ${UNPAID}, ${OF_INVOICE}, null, s.status, true,
    s.next_payment_attempt_at, s.payment_url, null
    from subscriptions s join stripe_invoices i on i.id = s.latest_invoice_id
    where s.status in ('past_due', 'unpaid') and ${FAILED}`;

/** Lists disputes, failed payments and refunds of the period, and all that are open, by person. */
export async function listTroubles(db: Database, moment: Moment): Promise<Troubles> {
  const rows = await query<TroubleRow>(
    db,
    `select troubles.*, s.email, s.name, s.lead_id,
       coalesce(s.email_normalised, s.erased_payer::text, s.stripe_customer_id) as payer
     from (${TROUBLES}) troubles join subscriptions s using (stripe_subscription_id)
     order by is_open desc, at desc, troubles.id limit ${MAX_TROUBLES + 1}`,
    bind(moment),
  );
  return { people: byPerson(rows.slice(0, MAX_TROUBLES)), isCapped: rows.length > MAX_TROUBLES };
}

/** Groups troubles by payer, the newest first. */
function byPerson(rows: readonly TroubleRow[]): Person[] {
  const people = new Map<string, Person>();
  for (const { payer, stripeSubscriptionId, email, name, leadId, ...trouble } of rows.toSorted(
    (a, b) => b.at.getTime() - a.at.getTime(),
  )) {
    const person = people.get(payer) ?? { stripeSubscriptionId, email, name, leadId, troubles: [] };
    person.troubles.push(trouble);
    people.set(payer, person);
  }
  return [...people.values()];
}
