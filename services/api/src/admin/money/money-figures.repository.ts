import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import type { SubscriptionRow } from '@site/platform/database/tables';
import { MONEY_FIGURE_NAMES, PEOPLE_PER_PAGE } from '@site/schema/calls/money-figures';
import type { MoneyFiguresAnswer, MoneyPeople, MoneyPrice } from '@site/schema/calls/money-figures';
import { MAX_SOURCES } from '@site/schema/calls/money-outcomes';
import type { MoneyOutcomes } from '@site/schema/calls/money-outcomes';
import type { LeadStage } from '@site/schema/money';
import { placeOf } from '../../http/cursor.ts';
import type { Place } from '../../http/cursor.ts';
import { bind, isAhead, rowsOf } from './money-people.ts';
import type { Moment } from './money-people.ts';

/** Counts and sums the rows of a figure or a stage. The sum is rounded to a penny once. */
export async function readFigure(
  db: Database,
  of: MoneyPeople,
  moment: Moment,
  ofPrice: MoneyPrice = {},
): Promise<{ count: number; pence: number }> {
  const { from, where, bindings } = rowsOf(of, ofPrice);
  return queryOne(
    db,
    `select count(*) as count, coalesce(round(sum(pence)), 0)::bigint as pence from ${from} where ${where}`,
    { ...bind(moment), ...bindings },
  );
}

export async function readFigures(
  db: Database,
  moment: Moment,
): Promise<MoneyFiguresAnswer['figures']> {
  const read = await Promise.all(
    MONEY_FIGURE_NAMES.map(async (of) => [of, await readFigure(db, of, moment)] as const),
  );
  return Object.fromEntries(read) as MoneyFiguresAnswer['figures'];
}

/** Sums what of the period's payments has a dispute that is not decided and has taken the money: Stripe holds it. */
export async function readHeld(db: Database, moment: Moment): Promise<{ heldPence: number }> {
  return queryOne(
    db,
    `select coalesce(sum(d.amount_pence), 0)::bigint as held_pence from stripe_disputes d join stripe_invoices i on i.id = d.stripe_invoice_id
     where d.is_open and d.blocks_refund and d.currency = 'gbp' and i.paid_at >= :from and i.paid_at < :to`,
    bind(moment),
  );
}

type Source = MoneyOutcomes['channels'][number];

/** Sums what was paid and returned in the period, by channel and by button of each subscription's lead. */
export async function readSources(
  db: Database,
  moment: Moment,
): Promise<Pick<MoneyOutcomes, 'channels' | 'buttons'>> {
  const rows = await query<Source & { isChannel: boolean }>(
    db,
    `select grouping(button) = 1 as is_channel, coalesce(channel, button) as name,
       coalesce(sum(pence) filter (where kind = 'payment'), 0)::bigint as paid_pence,
       coalesce(-sum(pence) filter (where kind <> 'payment'), 0)::bigint as returned_pence
     from (
       select case when has_lead then channel_of(visit_utm_source, referrer) end as channel, utm_source as button, kind, pence from (
         select lead_id is not null as has_lead, visit_utm_source, referrer, utm_source, kind, sum(p.pence) as pence
         from payments p join subscriptions s using (stripe_subscription_id)
         where p.currency = 'gbp' and p.at >= :from and p.at < :to group by 1, 2, 3, 4, 5
       ) few
     ) sums group by grouping sets ((channel), (button)) order by paid_pence desc, name`,
    bind(moment),
  );
  const of = (wanted: boolean) =>
    rows.filter(({ isChannel }) => isChannel === wanted).slice(0, MAX_SOURCES);
  const [channels, buttons] = [true, false].map((each) =>
    of(each).map(({ isChannel: _, ...source }) => source),
  );
  return { channels: channels ?? [], buttons: buttons ?? [] };
}

/** Reads what the figures of the period say of disputes and VAT, and what they leave out because it is not in pounds. */
export async function readRemarks(
  db: Database,
  moment: Moment,
): Promise<Omit<MoneyFiguresAnswer, 'figures'>> {
  const [held, vat, currencies, { subscriptions }] = await Promise.all([
    readHeld(db, moment),
    queryOne<MoneyFiguresAnswer['vat']>(
      db,
      `select coalesce(sum(round(paid_pence * (tax_pence::numeric / nullif(total_pence, 0)))), 0)::bigint as pence, count(*) filter (where tax_pence is null)::int as unknown
       from stripe_invoices where paid_pence > 0 and currency = 'gbp' and paid_at >= :from and paid_at < :to`,
      bind(moment),
    ),
    query<MoneyFiguresAnswer['leftOut']['currencies'][number]>(
      db,
      `select currency, coalesce(sum(pence) filter (where kind = 'payment'), 0)::bigint as paid_pence,
         coalesce(-sum(pence) filter (where kind in ('refund', 'failed refund')), 0)::bigint as refunded_pence
       from payments where kind in ('payment', 'refund', 'failed refund') and currency <> 'gbp' and at >= :from and at < :to group by currency order by currency`,
      bind(moment),
    ),
    queryOne<{ subscriptions: number }>(
      db,
      `select count(*)::int as subscriptions from subscriptions
       where unread_parts <> '{}' and is_live and 'price' = any(unread_parts)`,
    ),
  ]);
  return { ...held, vat, leftOut: { currencies, subscriptions } };
}

type PersonRow = Pick<
  SubscriptionRow,
  'stripeSubscriptionId' | 'email' | 'name' | 'leadId' | 'plan'
> & {
  id: string;
  stage: LeadStage;
  pence: number;
  at: Date | null;
  place: string;
};

/** Lists one page of the rows of a figure or a stage, and the place to continue from. */
export async function listPeople(
  db: Database,
  of: MoneyPeople,
  ofPrice: MoneyPrice,
  moment: Moment,
  place: Place | null,
): Promise<{ rows: PersonRow[]; next: Place | null }> {
  const [order, beyond] = isAhead(of) ? ['asc', '>'] : ['desc', '<'];
  const id = `(stripe_subscription_id || ' ' || entry)`;
  const { from, where, bindings } = rowsOf(of, ofPrice);
  // Those without a time come last in either order. Apart from them, an index has the order.
  const never = `'${isAhead(of) ? 'infinity' : '-infinity'}'`;
  const list = (isTimed: string, at: string) => `(
    select ${id} as id, stripe_subscription_id, email, name, lead_id, plan, (select shown.stage from shown_stages shown where shown.id = s.id) as stage,
      round(pence)::bigint as pence, at, coalesce(${placeOf('at')}, ${never}) as place
    from ${from}
    where ${where} and ${isTimed} ${place ? `and ${at} ${beyond}= :placeAt::timestamptz and (${at}, ${id}) ${beyond} (:placeAt::timestamptz, :placeId)` : ''}
    order by at ${order}, ${id} ${order} limit ${PEOPLE_PER_PAGE + 1})`;
  const rows = await query<PersonRow>(
    db,
    `select * from (${list('at is not null', 'at')} union all ${list('at is null', never)}) rows
     order by at is null, at ${order}, id ${order} limit ${PEOPLE_PER_PAGE + 1}`,
    { ...bind(moment), ...bindings, ...(place && { placeAt: place.at, placeId: place.id }) },
  );
  const shown = rows.slice(0, PEOPLE_PER_PAGE);
  const last = rows.length > PEOPLE_PER_PAGE ? shown.at(-1) : undefined;
  return { rows: shown, next: last ? { at: last.place, id: last.id } : null };
}
