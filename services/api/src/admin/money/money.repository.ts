import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import { SUBSCRIPTION_STAGES } from '@site/schema/money';
import type { CallSent } from '@site/schema/calls/calls';
import { MAX_FAILED_COUNTED } from '@site/schema/calls/overview';
import { MAX_ABANDONED } from '@site/schema/calls/leads';
import type { Reviewable } from '@site/schema/calls/money';
import type { LeadFilter } from '@site/schema/calls/lead-filter';
import type { Knex } from 'knex';
import { countUpTo, whereLeads } from '../leads/lead-filter.ts';

type Money = CallSent<'GET /api/admin/money'>;

/** The maximum number of each kind that is listed. */
export const SHOWN = 100;

export async function countStages(db: Database): Promise<Money['stages']> {
  const rows = await db('subscriptions')
    .groupBy('stage')
    .select('stage')
    .count<{ stage: string; count: number }[]>();
  const counts = new Map(rows.map(({ stage, count }) => [stage, count]));
  return Object.fromEntries(
    SUBSCRIPTION_STAGES.map((stage) => [stage, counts.get(stage) ?? 0]),
  ) as Money['stages'];
}

export async function listParked(db: Database): Promise<Money['parkedEvents']> {
  return db('stripe_events')
    .where({ outcome: 'parked', reviewedAt: null })
    .orderBy('receivedAt', 'desc')
    .limit(SHOWN)
    .select('id', 'type', 'fault', 'receivedAt');
}

export async function listMismatches(db: Database): Promise<Money['payerMismatches']> {
  return db('payer_mismatches')
    .whereNull('reviewedAt')
    .orderBy('foundAt', 'desc')
    .limit(SHOWN)
    .select('stripeSubscriptionId', 'leadId', 'leadEmail', 'payerEmail', 'foundAt');
}

export async function listSecondLive(db: Database): Promise<Money['secondLive']> {
  const rows = await db('subscriptions')
    .whereNotNull('secondLiveSince')
    // A subscription that is set to end needs no decision.
    .whereNull('cancelAt')
    .whereNull('secondLiveReviewedAt')
    .orderBy('secondLiveSince', 'desc')
    .limit(SHOWN)
    .select('stripeSubscriptionId', 'email', 'leadId', 'secondLiveSince');
  return rows.map(({ secondLiveSince, ...row }) => ({ ...row, since: secondLiveSince }));
}

export async function listOpenDisputes(db: Database): Promise<Money['openDisputes']> {
  return query<Money['openDisputes'][number]>(
    db,
    `select d.id, d.stripe_subscription_id, s.email, s.lead_id, d.amount_pence, d.currency, coalesce(i.refunded_pence, 0) as refunded_pence, d.reason, d.status, d.opened_at,
       d.evidence_due_at
     from stripe_disputes d join subscriptions s using (stripe_subscription_id) left join stripe_invoices i on i.id = d.stripe_invoice_id
     where d.is_open order by d.status like '%under_review', d.evidence_due_at nulls last limit :limit`,
    { limit: SHOWN },
  );
}

export async function listFailedRefunds(db: Database): Promise<Money['failedRefunds']> {
  return query<Money['failedRefunds'][number]>(
    db,
    `select r.id, r.stripe_subscription_id, s.email, s.lead_id, r.amount_pence, r.currency, r.failure_reason as reason, r.refunded_at
     from stripe_refunds r join subscriptions s using (stripe_subscription_id)
     where r.status = 'failed' and r.reviewed_at is null order by r.refunded_at desc limit :limit`,
    { limit: SHOWN },
  );
}

export async function readPayers(db: Database, ids: string[]): Promise<Money['payers']> {
  const rows = await db('subscriptions')
    .whereIn('stripeSubscriptionId', ids)
    .select('stripeSubscriptionId', 'email', 'name', 'amountPence', 'plan', 'unreadParts');
  return Object.fromEntries(
    rows.map(({ stripeSubscriptionId, amountPence, unreadParts, ...payer }) => [
      stripeSubscriptionId,
      { ...payer, pricePence: unreadParts.includes('price') ? null : amountPence },
    ]),
  );
}

/** Reads who makes the MRR, by plan and price, and the whole of it, which is rounded once. */
export async function readPrices(db: Database): Promise<Pick<Money, 'prices' | 'mrr'>> {
  const rows = await query<Money['prices'][number] & { isTotal: boolean }>(
    db,
    `select plan, price_pence as price, count(*)::int as count, coalesce(round(sum(monthly_pence)), 0)::bigint as pence,
       grouping(plan) = 1 as is_total
     from subscriptions where status in ('active', 'past_due') and price_pence > 0 and not is_collection_paused group by grouping sets ((), (1, 2)) order by is_total, pence desc, 1, 2`,
  );
  const toPrice = ({ isTotal: _, ...row }: (typeof rows)[number]) => row;
  const { count, pence } = rows.at(-1) ?? { count: 0, pence: 0 };
  return { prices: rows.filter(({ isTotal }) => !isTotal).map(toPrice), mrr: { count, pence } };
}

/**
 * Counts the leads of the filter that abandoned their checkout, ignoring its status. At most one more than
 * `MAX_ABANDONED`.
 */
export async function countAbandoned(
  db: Database,
  { status: _, ...filter }: LeadFilter,
): Promise<number> {
  return countUpTo(db, { ...filter, checkout: 'abandoned' }, MAX_ABANDONED + 1);
}

/** Returns true if a lead has failed whose address nobody pays for. Together they are one thing that needs attention. */
export async function hasFailedLeads(db: Database): Promise<boolean> {
  const failed = whereLeads(db, db('leads'), { status: 'failed' }).whereRaw(
    'not exists (select from subscriptions s where s.is_live and s.email_normalised = leads.email_normalised)',
  );
  return (await failed.first('id')) !== undefined;
}

export async function readFailed(
  db: Database,
): Promise<CallSent<'GET /api/admin/overview'>['failed']> {
  const newest = whereLeads(db, db('leads'), { status: 'failed' })
    .select(
      'id',
      'email',
      'emailNormalised',
      'fullName',
      'beehiivReason',
      'updatedAt',
      'submittedAt',
    )
    .orderBy('submittedAt', 'desc')
    .limit(MAX_FAILED_COUNTED);
  return queryOne(
    db,
    `with failed as materialized ?
     select (select count(*)::int from failed) as count, (select min(updated_at) from failed) as since,
       (select count(distinct email_normalised)::int from failed) as people,
       (select json_build_object('id', id, 'email', email, 'name', full_name) from failed order by submitted_at desc limit 1) as newest,
       (select count(*)::int from failed where exists (
         select from subscriptions s where s.is_live and s.email_normalised = failed.email_normalised)) as paying,
       (select coalesce(json_agg(each order by each.count desc, reason), '[]') from (
         select beehiiv_reason as reason, count(*)::int from failed group by 1) each) as reasons`,
    [newest],
  );
}

/** For each kind, how to find the row and which column records the review. */
const WAITING: Record<
  Exclude<Reviewable, 'subscriptions' | 'not-receiving'>,
  { find: (db: Database, id: string) => Knex.QueryBuilder; reviewedAt: string }
> = {
  mismatches: {
    find: (db, stripeSubscriptionId) => db('payer_mismatches').where({ stripeSubscriptionId }),
    reviewedAt: 'reviewedAt',
  },
  'second-subscriptions': {
    find: (db, stripeSubscriptionId) =>
      db('subscriptions').where({ stripeSubscriptionId }).whereNotNull('secondLiveSince'),
    reviewedAt: 'secondLiveReviewedAt',
  },
  refunds: {
    find: (db, id) => db('stripe_refunds').where({ id, status: 'failed' }),
    reviewedAt: 'reviewedAt',
  },
  parked: {
    find: (db, id) => db('stripe_events').where({ id, outcome: 'parked' }),
    reviewedAt: 'reviewedAt',
  },
};

/** Marks a row as reviewed, once. Returns undefined if it does not need attention. */
export async function markReviewed(
  db: Database,
  kind: keyof typeof WAITING,
  id: string,
): Promise<'marked' | 'marked-before' | undefined> {
  const { find, reviewedAt } = WAITING[kind];
  const marked = await find(db, id)
    .whereNull(reviewedAt)
    .update({ [reviewedAt]: db.fn.now() });
  if (marked > 0) return 'marked';
  return (await find(db, id).first(reviewedAt)) && 'marked-before';
}
