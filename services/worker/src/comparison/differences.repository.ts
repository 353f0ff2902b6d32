import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import type { Row } from '@site/platform/database/tables';
import type { ComparisonDetail } from '@site/platform/database/task';
import { judgePeople } from '@site/platform/people/person';
import { recordSubscribers } from '@site/platform/people/subscribers';
import type { DifferenceKind } from '@site/schema/differences';
import type { SubscriberPage } from '../newsletter/newsletter.port.ts';

/*
 * Records each page of Beehiiv's list on its people, in short transactions. At the end compares the
 * list with our leads and with the tiers by subscription.
 */

/** The list may belong to another newsletter, so we keep only this many unknown subscribers. */
const MAX_UNKNOWN = 1_000;

/**
 * Stores one page of the list, requested at `askedAt`, with each subscriber's status. Unknown
 * subscribers are stored only as differences. Returns their number.
 */
export async function storeListed(
  trx: Database,
  subscribers: SubscriberPage['subscribers'],
  askedAt: Date,
): Promise<number> {
  await recordSubscribers(
    trx,
    subscribers.map((subscriber) => ({ ...subscriber, at: askedAt })),
    { isPage: true },
  );
  const { unknown } = await queryOne<{ unknown: number }>(
    trx,
    `with unknown as (
       select distinct on (normalised_email(listed.email))
         normalised_email(listed.email) as email_normalised, id, status, tier
       from json_to_recordset(:subscribers) as listed (email text, id text, status text, tier text)
       where not exists (
         select from leads where leads.email_normalised = normalised_email(listed.email)
       )
         -- A typo, which we unsubscribe.
         and not exists (
           select from people
           where people.email_normalised = normalised_email(listed.email)
             and seen_at = '-infinity'
         )
     ), earlier as (
       delete from differences using unknown
       where kind in ('unknown-here', 'premium-not-paying')
         and differences.email_normalised = unknown.email_normalised
     ), premium as (
       insert into differences (kind, email_normalised, subscriber_id, subscriber_status)
         select 'premium-not-paying', email_normalised, id, status from unknown
         where tier = 'premium' and not exists (
           select from people where people.email_normalised = unknown.email_normalised)
     ), stored as (
       insert into differences (kind, email_normalised, subscriber_id, subscriber_status)
         select 'unknown-here', email_normalised, id, status from unknown
         limit (
           select greatest(0, :most - (detail ->> 'unknownRead')::int)
           from tasks
           where name = 'comparison'
         )
     )
     select count(*)::int as unknown from unknown`,
    { subscribers: JSON.stringify(subscribers), most: MAX_UNKNOWN },
  );
  return unknown;
}

/** The counts of a comparison that `differences` does not have. */
export type ComparisonCounts = Pick<ComparisonDetail, 'checked' | 'paymentsChecked'>;

/** Emails that one statement compares, so that it takes well under a second. */
const BATCH = 10_000;

/**
 * Judges everybody who has a lead but no row. Call it before reading the list, which records
 * statuses in these rows. One transaction each, so that it holds one lock at a time.
 */
export async function judgeUnknown(db: Database, signal: AbortSignal): Promise<void> {
  for (let after: string | null = ''; after !== null && !signal.aborted;) {
    const { upto }: { upto: string | null } = await queryOne(
      db,
      `select (select email_normalised from leads
         where email_normalised > :after order by email_normalised offset :size limit 1) as upto`,
      { after, size: BATCH },
    );
    const unsettled = await query<{ emailNormalised: string }>(
      db,
      `select distinct email_normalised from leads
       where email_normalised > :after and (:upto::text is null or email_normalised <= :upto)
         and not exists (
           select from people
           where people.email_normalised = leads.email_normalised
         )`,
      { after, upto },
    );
    for (const { emailNormalised } of unsettled) await judgePeople(db, [emailNormalised]);
    after = upto;
  }
}

/**
 * Compares the list with leads and tiers older than `startedAt`, by email. Replaces the earlier
 * differences, which others may read and change until the end. A person's newest lead counts.
 */
export async function storeDifferences(
  trx: Database,
  startedAt: Date,
  size = BATCH,
): Promise<ComparisonCounts> {
  const counts = {
    checked: 0,
    ...(await queryOne<{ paymentsChecked: number }>(trx, PAID_TWICE)),
  };
  for (let after: string | null = ''; after !== null;) {
    const { upto }: { upto: string | null } = await queryOne(
      trx,
      `select least(
         (select email_normalised from leads
          where email_normalised > :after order by email_normalised offset :size limit 1),
         (select email_normalised from people
          where email_normalised > :after order by email_normalised offset :size limit 1)) as upto`,
      { after, size },
    );
    const range = { startedAt, after, upto };
    await query(trx, PAYS_NOT_ACTIVE, range);
    await query(trx, PREMIUM_NOT_PAYING, range);
    counts.checked += (await queryOne<{ checked: number }>(trx, LEADS, range)).checked;
    after = upto;
  }
  await query(trx, 'delete from differences where found_at < :startedAt', { startedAt });
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
 * Payers who do not receive the paid issue. Every payer has a tier, so tiers show who should
 * receive it. An unconfirmed tier, or a tier changed since the comparison started, is no
 * difference. Its subscriber must still be active. Only subscribers with a sent lead are changed.
 */
const PAYS_NOT_ACTIVE = `
  with paying as (
    select email_normalised, listed_tier,
      case when listed_at >= :startedAt then subscriber_id end as subscriber_id,
      case when greatest(listed_at, learned_at) >= :startedAt then status end as status,
      tier_confirmed_version = tier_version
        and greatest(tier_since, tier_confirmed_at) < :startedAt as is_settled
    from people
    where tier = 'premium' and tier_since < :startedAt
      and email_normalised > :after and (:upto::text is null or email_normalised <= :upto)
  )
  insert into differences (
    kind, email_normalised, lead_id, subscriber_id, subscriber_status, stripe_subscription_id,
    remedy)
  select 'pays-not-active', email_normalised, lead.id, subscriber_id, status, (
      select stripe_subscription_id from subscriptions
      where subscriptions.email_normalised = paying.email_normalised and is_live
      order by started_at
      limit 1),
    case when lead.is_sent and status is null then 'add-again'
      when lead.is_sent and status = 'active' then 'set-premium' end
  from paying
    left join lateral (
      select id, beehiiv_status = 'sent' as is_sent from leads
      where leads.email_normalised = paying.email_normalised
      order by beehiiv_status = 'sent' desc, submitted_at desc
      limit 1) lead on true
  where status is distinct from 'active'
    or (is_settled and subscriber_id is not null and listed_tier <> 'premium')`;

/** Premium subscribers without payment, or with a confirmed free tier. */
const PREMIUM_NOT_PAYING = `
  insert into differences (
    kind, email_normalised, lead_id, subscriber_id, subscriber_status, stripe_subscription_id,
    remedy)
  select 'premium-not-paying', email_normalised, lead.id, subscriber_id, status, (
      select stripe_subscription_id from subscriptions
      where subscriptions.email_normalised = people.email_normalised
      order by started_at desc
      limit 1),
    case when lead.is_sent then 'set-free' end
  from people
    left join lateral (
      select id, beehiiv_status = 'sent' as is_sent from leads
      where leads.email_normalised = people.email_normalised
      order by beehiiv_status = 'sent' desc, submitted_at desc
      limit 1) lead on true
  where listed_at >= :startedAt and listed_tier = 'premium' and seen_at > '-infinity'
    and email_normalised > :after and (:upto::text is null or email_normalised <= :upto)
    and (tier is null or (
      tier = 'free' and tier_confirmed_version = tier_version
      and greatest(tier_since, tier_confirmed_at) < :startedAt))`;

const LEADS = `
  with sent as (
    select distinct on (email_normalised) email_normalised, id from leads
    where beehiiv_status = 'sent' and coalesce(beehiiv_sent_at, submitted_at) < :startedAt
      and email_normalised > :after and (:upto::text is null or email_normalised <= :upto)
    order by email_normalised, coalesce(beehiiv_sent_at, submitted_at) desc
  ), found as (
    select email_normalised, id,
      case when listed_at >= :startedAt then subscriber_id end as subscriber_id,
      case when listed_at >= :startedAt then status end as subscriber_status,
      case
        when (greatest(listed_at, learned_at) >= :startedAt) is not true or status is null
          then 'missing-there'
        when status = 'invalid' then 'invalid'
        when status = 'inactive' then 'unsubscribed' end as kind
    from sent join people using (email_normalised)
  ), stored as (
    insert into differences (kind, email_normalised, lead_id, subscriber_id, subscriber_status,
      remedy)
      select kind, email_normalised, id, subscriber_id, subscriber_status,
        case when kind = 'missing-there' then 'add-again' end
      from found where kind is not null
  )
  select count(*)::int as checked from sent`;

export async function countDifferences(
  db: Database,
): Promise<Partial<Record<DifferenceKind, number>>> {
  const rows = await db('differences')
    .select<{ kind: DifferenceKind; count: number }[]>('kind')
    .count()
    .groupBy('kind');
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]));
}

export async function listDifferences(db: Database): Promise<Row<'differences'>[]> {
  return db<Row<'differences'>>('differences').orderBy('id');
}

/** Counts sent leads, to show a comparison's progress. */
export async function countSentLeads(db: Database): Promise<number> {
  const [row] = await db('lead_counts')
    .where({ beehiivStatus: 'sent' })
    .sum<{ sum: string | null }[]>('leads');
  return Number(row?.sum ?? 0);
}
