import type { Remedy } from '@site/schema/differences';
import { NOT_RECEIVING_REASONS } from '@site/schema/money';
import type { NotReceivingReason, PayerRemedy } from '@site/schema/money';
import { ADDRESS_REASONS } from '@site/schema/beehiiv-answers';
import type { Database } from '../database/connect.ts';
import { query } from '../database/query.ts';

/*
 * Who pays and does not receive the paid issue (rule 3.14), from our own rows: what Beehiiv last said of the address, its
 * tier, its lead, and what the nightly comparison found. Read by the money view, its badge, alerts and metrics.
 */

export type NotReceiving = {
  /** The delivery address. Null for a customer without one. */
  email: string | null;
  stripeSubscriptionId: string;
  leadId: string | null;
  differenceId: number | null;
  reason: NotReceivingReason;
  remedy: PayerRemedy;
  since: Date;
};

/** The first tries of a lead or a tier, 30 s to 4 min apart, are over by then. */
const GRACE = `interval '15 minutes'`;

const REFUSED_ADDRESS = ADDRESS_REASONS.map((reason) => `'${reason}'`).join(', ');

/** The lead that says most of an address: the one that was sent, else the one that waits, else the newest that failed. */
const BEST_LEAD = `
  select id, beehiiv_status, beehiiv_reason, quarantine_reason, subscriber_status, round_started_at, beehiiv_sent_at
  from leads where leads.email_normalised = s.delivery_normalised and corrected_to is null
  order by beehiiv_status = 'sent' desc, beehiiv_status = 'pending' desc, quarantine_reason is null desc, submitted_at desc
  limit 1`;

/** Who may not receive: few, each found in an index that has only them. A live subscription has a tier (rule 3.9). */
const IN_DOUBT = `
  select email_normalised from subscriber_tiers where is_in_doubt
  union select email_normalised from differences where kind = 'pays-not-active'`;

/**
 * Each address that meets `which`, once, with its oldest live subscription. Leads are read only for the few that are not
 * known to be active with a confirmed tier.
 */
export const notReceiving = (which: (address: string) => string) => `(
  with doubtful as (
    select distinct on (s.delivery_normalised) s.delivery_normalised, coalesce(s.delivery_email, s.email) as email,
      s.stripe_subscription_id, greatest(s.started_at, s.created_at) as started_at, known.status, known.status_since,
      tier.not_receiving_since, tier.confirmed_version is distinct from tier.version or tier.version is null as is_tier_open,
      case when tier.attempts = 0 then tier.updated_at end as tier_since,
      found.id as difference_id, found.remedy as difference_remedy, found.subscriber_status as listed_status
    from subscriptions s
      left join subscribers known on known.email_normalised = s.delivery_normalised
      left join subscriber_tiers tier on tier.email_normalised = s.delivery_normalised
      left join differences found on found.kind = 'pays-not-active' and found.email_normalised = s.delivery_normalised
        -- Unless it is over: confirmed since, or active since where only that was missing.
        and not coalesce(known.status = 'active' and tier.confirmed_version = tier.version and greatest(tier.confirmed_at,
          case when found.subscriber_status <> 'active' then known.learned_at end) > (select compared_at from comparison), false)
    where s.is_live and s.delivery_normalised is not null and ${which('s.delivery_normalised')} and not coalesce(
      known.status = 'active' and tier.confirmed_version = tier.version and tier.not_receiving_since is null
        and found.id is null, false)
    order by s.delivery_normalised, s.started_at
  ), judged as (
    select s.*, lead.id as lead_id, case
        when told.status = 'inactive' then 'unsubscribed'
        when told.status = 'invalid' then 'rejected'
        when lead.id is null then 'no-lead'
        when lead.quarantine_reason is not null then 'quarantined'
        when lead.beehiiv_status = 'failed' and lead.beehiiv_reason in (${REFUSED_ADDRESS}) then 'refused'
        when lead.beehiiv_status = 'failed' then 'failed'
        when lead.beehiiv_status = 'pending' then 'waiting'
        when s.not_receiving_since is not null or (s.difference_id is not null and s.listed_status is null)
          then 'not-at-beehiiv'
        when told.status <> 'active' then 'not-confirmed'
        when s.is_tier_open or s.difference_id is not null then 'not-premium'
      end as reason,
      -- Sent moments ago, or still on its way.
      (lead.beehiiv_status is distinct from 'failed' and (s.is_tier_open or told.status <> 'active') and s.not_receiving_since is null
        and greatest(s.started_at, lead.round_started_at, lead.beehiiv_sent_at, s.tier_since) > sync_now() - ${GRACE})
        as is_under_way,
      greatest(s.started_at, s.status_since, lead.round_started_at, s.not_receiving_since) as since
    from doubtful s left join lateral (${BEST_LEAD}) lead on true,
      lateral (select coalesce(s.status, lead.subscriber_status) as status) told
  )
  select email, stripe_subscription_id, lead_id, difference_id, difference_remedy, reason, since
  from judged where reason is not null and not (is_under_way and reason <> 'rejected')
  union all
  select null, stripe_subscription_id, lead_id, null, null, 'no-address', greatest(started_at, created_at)
  from subscriptions where is_live and delivery_normalised is null
)`;
export const NOT_RECEIVING = notReceiving((address) => `${address} in (${IN_DOUBT})`);

/** Lists who pays and does not receive, the longest first, at most `limit`; or the one of a normalised address. */
export async function listNotReceiving(
  db: Database,
  limit: number,
  address: string | null = null,
): Promise<NotReceiving[]> {
  const rows = await query<Omit<NotReceiving, 'remedy'> & { differenceRemedy: Remedy | null }>(
    db,
    `select * from ${address === null ? NOT_RECEIVING : notReceiving((of) => `${of} = :address`)} payers
     where :address::text is null or lower(email) = :address order by since, stripe_subscription_id limit :limit`,
    { limit, address },
  );
  return rows.map(({ differenceRemedy, ...row }) => ({
    ...row,
    remedy: remedyOf(row.reason, differenceRemedy),
  }));
}

/** What the comparison may offer. */
const OFFERED: Partial<Record<NotReceivingReason, Remedy>> = {
  'not-at-beehiiv': 'add-again',
  'not-premium': 'set-premium',
};

function remedyOf(reason: NotReceivingReason, offered: Remedy | null): PayerRemedy {
  return offered !== null && offered !== 'set-free' && offered === OFFERED[reason]
    ? offered
    : NOT_RECEIVING_REASONS[reason].remedy;
}
