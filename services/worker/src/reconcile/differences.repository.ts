import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import type { Row } from '@site/platform/database/tables';
import type { ComparisonDetail } from '@site/platform/database/task';
import { recordSubscribers } from '@site/platform/outbox/subscribers';
import type { DifferenceKind } from '@site/schema/differences';
import type { SubscriberPage } from '../newsletter/newsletter.port.ts';

/*
 * Stores Beehiiv's list page by page, in short transactions, and compares it at the end with our
 * leads and with the tiers that our subscriptions give.
 */

/** The list may belong to another newsletter, so only this many unknown subscribers are kept. */
const MAX_UNKNOWN = 1_000;

/** Stores one page of the list, asked for at `askedAt`, with the status of each subscriber. */
export async function storeListed(
  trx: Database,
  subscribers: SubscriberPage['subscribers'],
  askedAt: Date,
): Promise<void> {
  await query(
    trx,
    `insert into listed_subscribers (email_normalised, subscriber_id, subscriber_status, subscriber_tier)
       select distinct on (lower(email)) lower(email), id, status, tier
       from json_to_recordset(:subscribers) as listed (email text, id text, status text, tier text)
     on conflict (email_normalised) do update set subscriber_id = excluded.subscriber_id,
       subscriber_status = excluded.subscriber_status, subscriber_tier = excluded.subscriber_tier`,
    { subscribers: JSON.stringify(subscribers) },
  );
  await recordSubscribers(
    trx,
    subscribers.map((subscriber) => ({ ...subscriber, at: askedAt })),
  );
}

/** The counts of a comparison that `differences` does not hold. */
export type ComparisonCounts = Pick<ComparisonDetail, 'checked' | 'unknown' | 'paymentsChecked'>;

/** Emails that one statement compares, so that it takes well under a second. */
const BATCH = 10_000;

/**
 * Compares leads and tiers older than `startedAt` with the list, in the order of emails. Replaces
 * the last differences, which others may read and change until the end. A person's newest lead
 * counts, corrected leads do not.
 */
export async function storeDifferences(
  trx: Database,
  startedAt: Date,
  size = BATCH,
): Promise<ComparisonCounts> {
  const { last } = await queryOne<{ last: number }>(
    trx,
    'select coalesce(max(id), 0) as last from differences',
  );
  const counts = {
    checked: 0,
    unknown: 0,
    ...(await queryOne<{ paymentsChecked: number }>(trx, PAID_TWICE)),
  };
  for (let after: string | null = ''; after !== null;) {
    const { upto }: { upto: string | null } = await queryOne(
      trx,
      `select least(
         (select email_normalised from leads
          where email_normalised > :after order by email_normalised offset :size limit 1),
         (select email_normalised from listed_subscribers
          where email_normalised > :after order by email_normalised offset :size limit 1),
         (select email_normalised from subscriber_tiers
          where email_normalised > :after order by email_normalised offset :size limit 1)) as upto`,
      { after, size },
    );
    const range = { startedAt, after, upto };
    await query(trx, PAYMENTS, range);
    counts.checked += (await queryOne<{ checked: number }>(trx, LEADS, range)).checked;
    const room = Math.max(0, MAX_UNKNOWN - counts.unknown);
    counts.unknown += (
      await queryOne<{ unknown: number }>(trx, UNKNOWN, { ...range, room })
    ).unknown;
    after = upto;
  }
  await query(trx, 'delete from differences where id <= :last', { last });
  return counts;
}

const PAID_TWICE = `
  with stored as (
    insert into differences (kind, email_normalised, lead_id, stripe_subscription_id)
      select 'pays-twice', email_normalised, lead_id, stripe_subscription_id
      from second_subscriptions
  )
  select count(*)::int as payments_checked from subscriptions where is_live`;

/**
 * A tier is wanted for every payer, so it says who should receive the paid issue. A tier that is
 * unconfirmed, or changed since the comparison started, is no difference in tier, but its
 * subscriber must be there and active. Only subscribers whose lead was sent are changed.
 */
const PAYMENTS = `
  with paying as (
    select tier.email_normalised, listed.subscriber_id, listed.subscriber_tier, lead.id as lead_id, lead.is_sent,
      case when listed.subscriber_id is not null or known.learned_at >= :startedAt
        then coalesce(known.status, listed.subscriber_status) end as status,
      paid.stripe_subscription_id,
      tier.confirmed_version = tier.version and tier.updated_at < :startedAt as is_settled
    from subscriber_tiers tier
      left join listed_subscribers listed using (email_normalised)
      left join subscribers known using (email_normalised)
      left join lateral (
        select id, beehiiv_status = 'sent' as is_sent from leads
        where leads.email_normalised = tier.email_normalised
        order by beehiiv_status = 'sent' desc, submitted_at desc limit 1
      ) lead on true
      left join lateral (
        select stripe_subscription_id from subscriptions
        where subscriptions.email_normalised = tier.email_normalised and is_live
        order by started_at limit 1
      ) paid on true
    where tier.wanted = 'premium' and tier.email_normalised > :after
      and (:upto::text is null or tier.email_normalised <= :upto)
      -- An attempt touches the row, but does not make the tier a new one.
      and (tier.updated_at < :startedAt or (tier.attempts > 0 and tier.confirmed_version < tier.version))
  )
  insert into differences (kind, email_normalised, lead_id, subscriber_id, subscriber_status, stripe_subscription_id, remedy)
      select 'pays-not-active', email_normalised, lead_id, subscriber_id, status, stripe_subscription_id,
        case when is_sent and status is null then 'add-again' when is_sent and status = 'active' then 'set-premium' end
      from paying where status is distinct from 'active' or (is_settled and subscriber_tier <> 'premium')
    union all
      select 'premium-not-paying', listed.email_normalised, lead.id, subscriber_id, listed.subscriber_status, (
          select stripe_subscription_id from subscriptions
          where subscriptions.email_normalised = listed.email_normalised
          order by started_at desc limit 1
        ), case when lead.is_sent then 'set-free' end
      from listed_subscribers listed left join subscriber_tiers tier using (email_normalised)
        left join lateral (
          select id, beehiiv_status = 'sent' as is_sent from leads
          where leads.email_normalised = listed.email_normalised
          order by beehiiv_status = 'sent' desc, submitted_at desc limit 1
        ) lead on true
      where subscriber_tier = 'premium' and listed.email_normalised > :after
        and (:upto::text is null or listed.email_normalised <= :upto) and (tier.email_normalised is null or (
          wanted = 'free' and tier.confirmed_version = tier.version and tier.updated_at < :startedAt))`;

const LEADS = `
  with people as (
    select distinct on (email_normalised) email_normalised, id from leads
    where beehiiv_status = 'sent' and coalesce(beehiiv_sent_at, submitted_at) < :startedAt and corrected_to is null
      and email_normalised > :after and (:upto::text is null or email_normalised <= :upto)
    order by email_normalised, coalesce(beehiiv_sent_at, submitted_at) desc
  ), found as (
    select email_normalised, id, listed.subscriber_id, listed.subscriber_status,
      case when listed.subscriber_id is null and (learned_at >= :startedAt) is not true then 'missing-there'
        when status = 'invalid' then 'invalid' when status = 'inactive' then 'unsubscribed' end as kind
    from people left join listed_subscribers listed using (email_normalised)
      left join subscribers known using (email_normalised)
  ), stored as (
    insert into differences (kind, email_normalised, lead_id, subscriber_id, subscriber_status, remedy)
      select kind, email_normalised, id, subscriber_id, subscriber_status,
        case when kind = 'missing-there' then 'add-again' end
      from found where kind is not null
  )
  select count(*)::int as checked from people`;

const UNKNOWN = `
  with unknown as (
    select email_normalised, subscriber_id, subscriber_status from listed_subscribers listed
    where email_normalised > :after and (:upto::text is null or email_normalised <= :upto)
      and not exists (select from leads where leads.email_normalised = listed.email_normalised)
  ), stored as (
    insert into differences (kind, email_normalised, subscriber_id, subscriber_status)
      select 'unknown-here', email_normalised, subscriber_id, subscriber_status from unknown limit :room
  )
  select count(*)::int as unknown from unknown`;

export async function countDifferences(
  db: Database,
): Promise<Partial<Record<DifferenceKind, number>>> {
  const rows = await db('differences')
    .select<{ kind: DifferenceKind; count: number }[]>('kind')
    .count()
    .groupBy('kind');
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]));
}

export async function listDifferences(
  db: Database,
  kind: DifferenceKind,
): Promise<Row<'differences'>[]> {
  return db<Row<'differences'>>('differences').where({ kind }).orderBy('id');
}

export async function deleteDifference(
  trx: Database,
  { emailNormalised, remedy }: Pick<Row<'differences'>, 'emailNormalised' | 'remedy'>,
): Promise<void> {
  await trx('differences').where({ emailNormalised, remedy }).delete();
}

/** Counts sent leads, to show a comparison's progress. */
export async function countSentLeads(db: Database): Promise<number> {
  const [row] = await db('lead_counts')
    .where({ beehiivStatus: 'sent' })
    .sum<{ sum: string | null }[]>('leads');
  return Number(row?.sum ?? 0);
}
