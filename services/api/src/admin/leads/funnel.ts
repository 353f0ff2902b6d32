import { readFunnelFilter } from '@site/schema/calls/lead-filter';
import type { FunnelStep, LeadFilter } from '@site/schema/calls/lead-filter';
import { FUNNEL_OTHERS, FUNNEL_ROWS, MAX_FUNNEL_LEADS } from '@site/schema/calls/overview';
import { IS_RECURRING, midnight, MONTHLY } from '../../subscriptions/recurring.ts';

/*
 * How visitors became payers. A person is an address, and belongs to the channel and the button of their first lead of
 * the dates. The overview counts these rows, and the list of leads shows them, so the two agree.
 */

const NAMED = ['Google', 'LinkedIn', 'Facebook'];
const named = (isOf: (name: string) => string, otherwise: string) =>
  `case ${NAMED.map((name) => `when ${isOf(name.toLowerCase())} then '${name}'`).join(' ')} else ${otherwise} end`;

const SOURCE = `replace(nullif(btrim(visit_utm_source), ''), '_', ' ')`;
const HOST = `lower(split_part(split_part(referrer, '/', 3), ':', 1))`;

/** Where the visit of a row of `leads`, or that of a subscription's lead, came from: its source, else the site that linked here. Patterns would cost seconds. */
export const CHANNEL = `case
  when visit_utm_source is not null and btrim(visit_utm_source) <> ''
    then ${named((name) => `lower(visit_utm_source) = '${name}'`, `upper(left(${SOURCE}, 1)) || substr(${SOURCE}, 2, 99)`)}
  when ${HOST} <> ''
    then ${named((name) => `'.' || ${HOST} like '%.${name}.%'`, `left(case when ${HOST} like 'www.%' then substr(${HOST}, 5) else ${HOST} end, 100)`)}
  else 'Direct' end`;

const FROM = `coalesce(${midnight(':startDate::date')}, '-infinity')`;
const TO = `coalesce(${midnight(':endDate::date + 1')}, 'infinity')`;

/** One by one: Postgres expects a third of all rows to be later than a time that it does not know, and would read every lead. */
const leadOf = (row: string) =>
  `select email_normalised from leads where id = ${row}.lead_id limit 1`;

const HAS_ACCESS = `s.status in ('trialing', 'active', 'past_due')`;

const shown = (part: string) =>
  `case when ${part} in (select ${part} from people group by 1 order by count(*) desc, 1 limit ${FUNNEL_ROWS})
     then ${part} else '${FUNNEL_OTHERS}' end as ${part}`;

/**
 * The tables of a statement, of which `funnel` has a row for each person. A lead that no form has sent, looks automated, or
 * has another address by now counts as nobody. A trial implies a checkout, even one that we never saw, and lasts until the
 * first payment. Of more leads than `MAX_FUNNEL_LEADS`, the older ones, and what happened before the newer ones, do not count.
 */
export const FUNNEL = `newest as (
    select id, email_normalised, submitted_at, ${CHANNEL} as channel, left(coalesce(utm_source, ''), 64) as button
    from (
      select * from leads where submitted_at >= ${FROM} and submitted_at < ${TO} order by submitted_at desc limit ${MAX_FUNNEL_LEADS}
    ) leads
    where consent_text_version is not null and quarantine_reason is null and corrected_to is null
  ), since as (
    select coalesce((select submitted_at from leads where submitted_at >= ${FROM} and submitted_at < ${TO}
      order by submitted_at desc offset ${MAX_FUNNEL_LEADS} limit 1), ${FROM}) as first
  ), begun as (
    select l.email_normalised, bool_or(${HAS_ACCESS} and s.first_paid_at is not null) as pays, bool_or(${HAS_ACCESS}) as tries,
      sum(case when ${IS_RECURRING} and s.first_paid_at is not null then ${MONTHLY} else 0 end) as monthly
    from subscriptions s cross join lateral (${leadOf('s')}) l
    where coalesce(s.started_at, s.created_at) >= (table since) and s.status not in ('incomplete', 'incomplete_expired')
    group by 1
  ), opened as (
    select email_normalised from checkouts where started_at >= (table since)
    union select l.email_normalised from checkouts c cross join lateral (${leadOf('c')}) l where c.started_at >= (table since)
    union select email_normalised from open_checkouts where opened_at >= (table since)
    union select email_normalised from begun
  ), people as materialized (
    select first.id, first.channel, first.button, opened.email_normalised is not null as checkout,
      begun.email_normalised is not null as trial, coalesce(begun.pays, false) as paying,
      coalesce(begun.tries and not begun.pays, false) as in_trial, begun.monthly
    from (select distinct on (email_normalised) * from newest order by email_normalised, submitted_at, id) first
      left join begun using (email_normalised) left join opened using (email_normalised)
  ), funnel as (
    select id, checkout, trial, paying, in_trial, monthly, ${shown('channel')}, ${shown('button')} from people
  )`;

const REACHED: Record<FunnelStep, string> = {
  people: 'true',
  checkout: 'checkout',
  trial: 'trial',
  paying: 'paying',
  'in-trial': 'in_trial',
  left: 'trial and not paying and not in_trial',
};

/** The leads behind a number of the funnel, as a condition on `leads`. */
export function isInFunnel(
  filter: string,
  { startDate, endDate }: LeadFilter,
): [string, Record<string, string | null>] {
  const { step, part, name } = readFunnelFilter(filter);
  const isOfPart = part === undefined ? '' : `and ${part} = :name`;
  return [
    `leads.id in (with ${FUNNEL} select id from funnel where ${REACHED[step]} ${isOfPart})`,
    { startDate: startDate ?? null, endDate: endDate ?? null, name },
  ];
}
