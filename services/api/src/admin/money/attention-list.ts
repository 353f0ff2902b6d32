import { findAlerts, findMoneyAlerts } from '@site/platform/alerts/alerts';
import { listAlerts } from '@site/platform/alerts/alert.repository';
import type { Database } from '@site/platform/database/connect';
import { query, queryOne } from '@site/platform/database/query';
import type { AlertKind, SubscriptionRow } from '@site/platform/database/tables';
import { ADDRESS_REASONS } from '@site/schema/beehiiv-answers';
import { formatLongDate } from '@site/schema/calendar';
import type { CallSent } from '@site/schema/calls/calls';
import { formatMoney } from '@site/schema/currency';
import { NOT_RECEIVING_REASONS, UNSETTLED_REASONS } from '@site/schema/money';
import type { NotReceivingReason, UnsettledReason } from '@site/schema/money';
import { hasFailedLeads, readFailed } from './money.repository.ts';

/*
 * What needs attention, as one list: the console's badge counts it, and the owner's emails name it. First the matters of
 * people, the worst kind first, then the open alerts. Next: `attention-mail.ts`, `weekly-mail.ts`.
 */

type Matter = Pick<SubscriptionRow, 'email' | 'leadId' | 'name' | 'plan'> & {
  kind: keyof typeof KINDS;
  isPayer: boolean;
  /** Null if it could not be read. */
  pricePence: number | null;
  amountPence: number;
  currency: string | null;
  times: number;
  reason: string | null;
  due: Date | null;
  isErased: boolean;
  total: number;
  ofKind: number;
};

const amountOf = ({ amountPence, currency }: Matter) => formatMoney(amountPence, currency);
const priceOf = ({ pricePence, plan }: Matter) =>
  pricePence === null
    ? ''
    : `, ${formatMoney(pricePence, null)} a ${plan === 'annual' ? 'year' : 'month'}`;

/** What is said of each kind, after whom it is about. */
const KINDS = {
  'payers-not-receiving': {
    title: 'Pays, but does not receive',
    isAlarm: true,
    describe: (matter: Matter) =>
      `${priceOf(matter)}${matter.isPayer ? '' : ', paid by another address'}. ${NOT_RECEIVING_REASONS[matter.reason as NotReceivingReason].label}.`,
  },
  'disputes-open': {
    title: 'Dispute',
    describe: (matter: Matter) =>
      `, ${matter.times > 1 ? `${matter.times} payments, ` : ''}${amountOf(matter)}. ${matter.reason?.endsWith('needs_response') ? `Answer ${matter.due ? `by ${formatLongDate(matter.due, true)}` : 'in Stripe'}` : 'The bank decides'}.`,
  },
  'refunds-failed': {
    title: 'Refund failed',
    describe: (matter: Matter) => `, ${amountOf(matter)}. The customer has not been paid.`,
  },
  unsettled: {
    title: 'Running without payment',
    describe: (matter: Matter) =>
      `, ${amountOf(matter)}. ${UNSETTLED_REASONS[matter.reason as UnsettledReason]}.`,
  },
  'address-changed': {
    title: 'Address changed at Stripe',
    describe: (matter: Matter) => `${priceOf(matter)}. Take it over, or give Stripe ours.`,
  },
  'payer-mismatch': {
    title: 'Paid from another address',
    describe: (matter: Matter) =>
      `${priceOf(matter)}. The form was filled in with another address.`,
  },
  'second-live': {
    title: 'Second subscription',
    describe: (matter: Matter) => `${priceOf(matter)}. The address has another one.`,
  },
};

/** Somebody's matter, or a condition. */
export type AttentionItem = {
  kind: keyof typeof KINDS | AlertKind;
  title?: string;
  text: string;
  isAlarm?: boolean;
  /** How many it stands for. */
  count: number;
  /** The addresses of whom it names. */
  people: string[];
  leadId?: string | null;
};
/** `items` are the first ones; `count` counts all, and `countOfWorst` those of the first item's kind. */
export type Attention = { items: AttentionItem[]; count: number; countOfWorst: number };

const LISTED = 50;
/** Their matters are listed one by one. */
const OF_PEOPLE: string[] = Object.keys(KINDS);
/** Each of their events needs attention. */
const OF_EVENTS = ['stripe-events-parked', 'stripe-permission-missing'];

/** Lists what needs attention: all of it, or only what was in no email yet. */
export async function listAttention(
  db: Database,
  maxPendingMs: number,
  { isNews = false } = {},
): Promise<Attention> {
  const matters = await query<Matter>(
    db,
    `with matter as (
       select distinct on (entry) rank, kind, id, stripe_subscription_id, email, lead_id, reason, currency, since, due,
         (count(*) over entry)::int as times, (sum(amount_pence) over entry)::int as amount_pence
       from attention matter where not :isNews or not exists (select from mailed_attention mailed where mailed.item = matter.item)
       window entry as (partition by entry) order by entry, due, matter.id
     )
     select matter.*, lower(matter.email) is not distinct from s.email_normalised as is_payer, s.plan, s.erased_payer is not null as is_erased,
       case when not 'price' = any(s.unread_parts) then s.amount_pence end as price_pence,
       case when lower(matter.email) is distinct from s.email_normalised then lead.full_name else s.name end as name,
       count(*) over ()::int as total, count(*) over (partition by kind)::int as of_kind
     from matter join subscriptions s using (stripe_subscription_id) left join leads lead on lead.id = matter.lead_id
     order by rank, since, matter.id limit :limit`,
    { isNews, limit: LISTED },
  );
  const mailed = isNews ? await db('mailed_attention').pluck('item') : [];
  const open = (await listConditions(db, maxPendingMs)).filter(
    ({ kind }) => !mailed.includes(kind),
  );
  const haveFailed = await hasFailedLeads(db);
  const conditions = [
    ...open.filter(({ kind }) => kind !== 'leads-failed' || (isNews && haveFailed)),
    ...(haveFailed && !isNews ? [describeFailed(await readFailed(db))] : []),
  ];
  const [worst] = matters;
  return {
    items: [...matters.map(toItem), ...conditions],
    count: (worst?.total ?? 0) + conditions.reduce((sum, { count }) => sum + count, 0),
    countOfWorst: worst?.ofKind ?? conditions[0]?.count ?? 0,
  };
}

function toItem(matter: Matter): AttentionItem {
  const { kind, email, leadId, name, isPayer, isErased } = matter;
  const { describe, ...words } = KINDS[kind];
  const title =
    kind === 'payers-not-receiving' && !isPayer ? 'Paid for, but not received' : words.title;
  const who = isErased ? 'An erased customer' : (name ?? email ?? 'A customer without an address');
  const people = email === null ? [] : [email.toLowerCase()];
  return { ...words, title, kind, leadId, people, count: 1, text: `${who}${describe(matter)}` };
}

/** Failed leads are one entry, as in the overview. News of them is how many failed lately. */
function describeFailed({
  count,
  paying,
  reasons,
}: CallSent<'GET /api/admin/overview'>['failed']): AttentionItem {
  const areAddresses = reasons.every(({ reason }) => ADDRESS_REASONS.includes(reason ?? ''));
  const pay =
    paying === 0 ? 'none of them pays' : `${paying} of them ${paying === 1 ? 'pays' : 'pay'}`;
  const text = `${count} ${count === 1 ? 'lead' : 'leads'}; ${pay}.`;
  return {
    kind: 'leads-failed',
    title: areAddresses ? 'Invalid addresses' : 'Failed leads',
    text,
    count: 1,
    people: [],
  };
}

/** Lists the open alerts, as the webhook has them, except those whose matters are listed one by one. */
async function listConditions(db: Database, maxPendingMs: number): Promise<AttentionItem[]> {
  const open = new Set((await listAlerts(db)).map(({ kind }) => kind));
  // What only production reports is open only there.
  const found = (await findAlerts(db, maxPendingMs, true)).filter(
    ({ kind }) => open.has(kind) && !OF_PEOPLE.includes(kind),
  );
  return found.map(({ kind, text, count = 1 }) => ({
    kind,
    text,
    people: [],
    count: OF_EVENTS.includes(kind) ? count : 1,
  }));
}

/** Forgets what was in an email and is over, so that it is news if it comes back. */
export async function forgetSettled(db: Database, maxPendingMs: number): Promise<void> {
  const kinds = (await listConditions(db, maxPendingMs)).map(({ kind }) => kind);
  await query(
    db,
    `delete from mailed_attention where item <> all(:kinds::text[])
       and not exists (select from attention matter where matter.item = mailed_attention.item)`,
    { kinds },
  );
}

/** Remembers that all of it was in an email. */
export async function markMailed(db: Database, maxPendingMs: number): Promise<void> {
  const kinds = (await listConditions(db, maxPendingMs)).map(({ kind }) => kind);
  await query(
    db,
    `insert into mailed_attention select item from attention matter union select unnest(:kinds::text[])
     on conflict do nothing`,
    { kinds },
  );
}

/**
 * Counts what needs attention as the overview lists it: matters, events that could not be applied, faults, and failed leads as
 * one. A missing permission is a fault beside the events that wait for it if lists need it, too.
 */
export async function countAttention(db: Database): Promise<number> {
  const { count } = await queryOne<{ count: number }>(
    db,
    `select ((select count(distinct entry) from attention matter) + (select count(*) from sync_alerts
         where kind = any(array['stripe-events-undelivered', 'stripe-signatures-refused', 'tiers-failing', 'terms-refused'])
           or kind = 'stripe-permission-missing' and exists (select from stripe_watch where missing_permission is not null))
       + (select count(*) from stripe_events where outcome = 'parked' and reviewed_at is null))::int as count`,
  );
  return count + ((await hasFailedLeads(db)) ? 1 : 0);
}

/** Lists the open alerts of money that are nobody's matter. */
export async function listMoneyFaults(
  db: Database,
): Promise<CallSent<'GET /api/admin/money'>['faults']> {
  const open = await query<{ kind: AlertKind }>(
    db,
    `select kind from sync_alerts
     where kind = any(array['stripe-events-undelivered', 'stripe-signatures-refused', 'tiers-failing', 'terms-refused'])
       or kind = 'stripe-permission-missing' and exists (select from stripe_watch where missing_permission is not null)
     order by kind`,
  );
  if (open.length === 0) return [];
  const found = await findMoneyAlerts(db);
  return open.flatMap(({ kind }) =>
    found.filter((each) => each.kind === kind).map(({ text, since }) => ({ kind, text, since })),
  );
}
