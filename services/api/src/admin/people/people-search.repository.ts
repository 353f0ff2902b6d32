import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { CallSent } from '@site/schema/calls/calls';
import { MAX_OF_PERSON } from '@site/schema/calls/people';
import type { Place } from '../../http/cursor.ts';
import { whereWords } from '../leads/lead-filter.ts';

const PER_PAGE = 50;

/** Lists the addresses of the payer, or the lead, that an id of Stripe's is about. */
export async function findByStripeId(db: Database, id: string): Promise<string[]> {
  const rows = await query<{ address: string }>(
    db,
    `with invoice as (
       select :id as id
       union select stripe_invoice_id from stripe_charges where id = :id
       union select c.stripe_invoice_id from stripe_charges c join stripe_refunds r on r.stripe_charge_id = c.id where r.id = :id
       union select c.stripe_invoice_id from stripe_charges c join stripe_disputes d on d.stripe_charge_id = c.id where d.id = :id
     ), subscription as (
       select stripe_subscription_id as name from stripe_invoices join invoice using (id) union select :id
     )
     select email_normalised as address from subscriptions join subscription on subscription.name = stripe_subscription_id
     union select email_normalised from subscriptions where stripe_customer_id = :id
     union select email_normalised from checkouts where stripe_checkout_session_id = :id
     order by 1 limit ${PER_PAGE}`,
    { id },
  );
  return rows.flatMap(({ address }) => address ?? []);
}

/**
 * The subscriptions with their columns named as those of leads, so that both are searched alike. Their index
 * `subscriptions_by_words` is used only while the expression is the same.
 */
const payers = (where = 'true') =>
  `(select email_normalised, name as full_name, company, cast(null as text) as trace_id from subscriptions where ${where}) payers`;

/**
 * Lists a page of addresses: first of payers that match the text, or whose invoice has that number, then of leads that
 * match it. Both by address, so that a page reads no more than it needs.
 */
export async function listAddresses(
  db: Database,
  text: string,
  place: Place | null,
): Promise<{ addresses: string[]; next: Place | null }> {
  const [matches, words] = whereWords(text);
  const rows = await query<{ at: 'infinity' | '-infinity'; id: string }>(
    db,
    `(select '-infinity' as at, email_normalised as id from ${payers()}
        where ${matches} and :at = '-infinity' and email_normalised > :id group by 2 order by 2 limit ${PER_PAGE + 1})
     union
     (select '-infinity', email_normalised from subscriptions join stripe_invoices using (stripe_subscription_id)
        where upper(number) = upper(:text) and :at = '-infinity' and email_normalised > :id limit ${PER_PAGE + 1})
     union
     (select 'infinity', email_normalised from leads
        where ${matches} and (:at = '-infinity' or email_normalised > :id)
          and not exists (select from ${payers('email_normalised = leads.email_normalised')} where ${matches})
        group by 2 order by 2 limit ${PER_PAGE + 1})
     order by at, id limit ${PER_PAGE + 1}`,
    { ...words, text, ...(place ?? { at: '-infinity', id: '' }) },
  );
  const shown = rows.slice(0, PER_PAGE);
  return { addresses: shown.map(({ id }) => id), next: rows.length > PER_PAGE ? (shown.at(-1) ?? null) : null };
}

/** Reads the people of these addresses, in their order. */
export async function findPeople(
  db: Database,
  addresses: string[],
): Promise<CallSent<'POST /api/admin/people/search'>['people']> {
  return query(
    db,
    `select coalesce(newest.email, payer.email, address) as email, coalesce(newest.full_name, payer.name) as name,
       array(select id from leads where email_normalised = address order by submitted_at desc, id limit ${MAX_OF_PERSON}) as lead_ids,
       coalesce((
         select json_agg(json_build_object('id', stripe_subscription_id, 'stage', stage) order by created_at desc) from (
           select stripe_subscription_id, stage, created_at from subscriptions
           where email_normalised = address or delivery_normalised = address order by created_at desc limit ${MAX_OF_PERSON}
         ) theirs
       ), '[]') as subscriptions
     from unnest(:addresses::text[]) with ordinality as given (address, place)
       left join lateral (
         select email, full_name from leads where email_normalised = address
         order by full_name is null, submitted_at desc limit 1
       ) newest on true
       left join lateral (
         select email, name from subscriptions where email_normalised = address order by name is null, created_at desc limit 1
       ) payer on true
     order by place`,
    { addresses },
  );
}
