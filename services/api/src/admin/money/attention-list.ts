import { toDeclineText } from '@site/schema/declines';
import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import { byGravity } from '@site/platform/health/sync-conditions';
import type { Condition } from '@site/platform/health/sync-conditions';
import type { Alert } from '@site/platform/notices/find-alerts';
import { FAILED_LEADS, toWhat } from '@site/platform/notices/notices';
import type { Matter } from '@site/platform/notices/notices';
import { formatCalendarDate, formatLongDate, londonDate } from '@site/schema/calendar';
import { MAX_ATTENTION } from '@site/schema/calls/money';
import type { AttentionItem } from '@site/schema/calls/money';
import { NOT_RECEIVING_REASONS, UNSETTLED_REASONS } from '@site/schema/money';
import type { NotReceivingReason, UnsettledReason } from '@site/schema/money';
import { isUrgencyClaimStale } from '@site/schema/offer';
import { listUnset } from '@site/schema/site-settings';
import {
  ATTENTION,
  CONDITIONS,
  OUTAGE_KINDS,
  stopsEverybody,
  toConditionTone,
  toEngineer,
  toRemedy,
} from '@site/schema/conditions';
import type { AttentionKind } from '@site/schema/conditions';
import type { ApiSettings } from '../../settings.ts';
import { dashboardOf } from '../../stripe/stripe.client.ts';
import { whereLeads } from '../leads/lead-filter.ts';

/*
 * Everything that needs attention as one list, worded only here. The console's badge counts it, the
 * overview shows it, and the owner's emails list it. Conditions that stop everybody come first,
 * then people, the worst kind first. Next: `attention-mail.ts`, `weekly-mail.ts`.
 */

type Item = Pick<AttentionItem, 'id' | 'name' | 'email'> & {
  kind: AttentionKind;
  item: string;
  stripeSubscriptionId: string;
  leadId: string | null;
  since: Date;
  isPayer: boolean;
  amountPence: number | null;
  currency: string;
  reason: string;
  due: Date | null;
  total: number;
};
type Words = Pick<AttentionItem, 'text'> & Partial<AttentionItem>;

/** Returns an item's words besides those of its kind. */
const DESCRIBE: Record<AttentionKind, (item: Item, dashboard: string) => Words> = {
  'not-receiving': ({ reason, isPayer, email, stripeSubscriptionId: id }) => ({
    text: `${NOT_RECEIVING_REASONS[reason as NotReceivingReason].label}.`,
    ...(!isPayer && { title: 'Paid for, but not received' }),
    // Reviewable, because a payer may not want to read.
    ...(isPayer && email !== null && { review: { kind: 'not-receiving', id } }),
  }),
  'disputes-open': ({ reason, due, id }, dashboard) => {
    const canAnswer = reason.endsWith('needs_response');
    const answer = due ? `Answer by ${formatLongDate(due, true)}.` : 'Answer in Stripe.';
    return {
      text: canAnswer ? answer : 'The bank decides.',
      href: `${dashboard}/disputes/${id}`,
      action: canAnswer ? 'Answer in Stripe' : 'Open in Stripe',
    };
  },
  'refunds-failed': ({ id }) => ({
    text: 'The customer has not been paid. Refund them another way.',
    review: { kind: 'refunds', id },
  }),
  unsettled: ({ reason, stripeSubscriptionId }) => ({
    text: `${UNSETTLED_REASONS[reason as UnsettledReason]}. Cancel it, or let it continue.`,
    review: { kind: 'subscriptions', id: stripeSubscriptionId },
  }),
  'email-changed': ({ reason }) => ({
    text: `${reason} at Stripe. Correct the email here, or change it back there.`,
  }),
  'second-live': ({ stripeSubscriptionId: id, reason }, dashboard) => ({
    text: 'Both are charged. Ask which to keep, and cancel the other.',
    href: `${dashboard}/subscriptions/${id}`,
    action: 'Open one in Stripe',
    other: { href: `${dashboard}/subscriptions/${reason}`, action: 'Open the other' },
    review: { kind: 'second-subscriptions', id },
  }),
  'payment-failed': ({ reason, due }) => {
    const [code = '', brand = null, last4 = null] = reason.split(' ');
    const next = due ? ` Stripe tries again on ${formatLongDate(due, true)}.` : '';
    return { text: `${toDeclineText({ code, brand, last4 })}.${next}` };
  },
  'events-parked': ({ id, reason }, dashboard) => ({
    text: `${reason}. ${toEngineer('needs-attention')}`,
    review: { kind: 'parked', id },
    ...(!reason.startsWith('unreadable') && {
      href: `${dashboard}/events/${id}`,
      action: 'Open in Stripe',
    }),
  }),
};

export type AttentionSettings = {
  site: ApiSettings['site'];
  isProduction: boolean;
  stripe: Pick<ApiSettings['stripe'], 'secretKey'>;
};

/** `items` are the first items, and `count` counts all. */
export type Attention = { items: AttentionItem[]; count: number };

/** Failed leads are counted up to this many, the newest first. */
const MAX_FAILED = 1_000;
const EMPTY = {
  name: null,
  email: null,
  amount: null,
  href: null,
  action: null,
  other: null,
  review: null,
};

/** Lists everything that needs attention, or only the items `among` those given. */
export async function listAttention(
  db: Database,
  settings: AttentionSettings,
  open: readonly Condition[],
  among?: readonly string[],
): Promise<Attention> {
  const dashboard = dashboardOf(settings.stripe.secretKey);
  const items = await query<Item>(
    db,
    `select matter.kind, matter.item, matter.id, matter.stripe_subscription_id, matter.email,
       matter.lead_id, matter.reason, matter.since, matter.due,
       normalised_email(matter.email) is not distinct from s.email_normalised as is_payer,
       coalesce(
         matter.amount_pence,
         case when not 'price' = any(s.unread_parts) then s.amount_pence end
       ) as amount_pence,
       coalesce(matter.currency, 'gbp') as currency, matter.total,
       case
         when normalised_email(matter.email) is distinct from s.email_normalised then lead.full_name
         else s.name
       end as name
     from (
       select *, count(*) over ()::int as total,
         row_number() over (partition by kind order by since, id) as place
       from attention
       where :among::text[] is null or item = any(:among::text[])
     ) matter
       left join subscriptions s using (stripe_subscription_id)
       left join leads lead on lead.id = matter.lead_id
     where place <= :most
     order by rank, place`,
    { among: among ?? null, most: MAX_ATTENTION },
  );
  const isMeant = ({ id }: Pick<AttentionItem, 'id'>) => among?.includes(id) ?? true;
  const conditions = listConditions(settings, open).filter(isMeant);
  const failed = (await listFailedLeads(db, among !== undefined)).filter(isMeant);
  return {
    items: [
      ...conditions.filter(({ kind }) => stopsEverybody(kind)),
      ...items.map((item) => toItem(item, dashboard)),
      ...conditions.filter(({ kind }) => !stopsEverybody(kind)),
      ...failed,
    ],
    count: (items[0]?.total ?? 0) + conditions.length + failed.length,
  };
}

/** Lists the owner's matters, even beyond the items that are listed. */
export async function listMatters(
  db: Database,
  settings: AttentionSettings,
  open: readonly Alert[],
): Promise<Matter[]> {
  const items = await query<{ item: string; kind: AttentionKind; since: Date }>(
    db,
    'select item, kind, since from attention',
  );
  const isNews = new Map(open.map((each) => [toWhat(each), each.isNews ?? true]));
  const others = [...listConditions(settings, open), ...(await listFailedLeads(db, true))];
  return [
    ...items.map(({ item, kind, since }) => ({ what: item, text: ATTENTION[kind].title, since })),
    ...others.map(({ id, title, since }) => ({
      what: id,
      text: title,
      since: new Date(since ?? Date.now()),
      isNews: isNews.get(id) ?? true,
    })),
  ];
}

const listConditions = (settings: AttentionSettings, open: readonly Condition[]) => [
  ...open.filter(isListed).toSorted(byGravity).map(toConditionItem),
  ...toOfferItems(settings.site),
  ...(settings.isProduction ? toSetUpItems(listUnset(settings.site)) : []),
];

function toItem(of: Item, dashboard: string): AttentionItem {
  const { kind, item, stripeSubscriptionId, leadId, since, name, email } = of;
  const { tone, title } = ATTENTION[kind];
  const { amountPence, currency } = of;
  return {
    ...EMPTY,
    tone,
    title,
    kind,
    id: item,
    name,
    email,
    since,
    amount: amountPence === null ? null : { pence: amountPence, currency },
    // Somebody without a lead has no page here.
    href:
      leadId === null
        ? `${dashboard}/subscriptions/${stripeSubscriptionId}`
        : `/admin-leads?view=person&id=${leadId}`,
    action: leadId === null ? 'Open in Stripe' : 'What to do',
    ...DESCRIBE[kind](of, dashboard),
  };
}

/**
 * Returns false for alerts whose items are listed separately, or that another condition explains.
 */
const isListed = ({ kind }: Condition, _: number, all: readonly Condition[]) =>
  kind !== 'needs-attention' &&
  kind !== 'leads-failed' &&
  (kind !== 'pending-too-long' || !all.some((each) => OUTAGE_KINDS.includes(each.kind)));

export function toConditionItem({ since, text, ...of }: Condition): AttentionItem {
  const { kind } = of;
  const { title: inSync, view = inSync && ['?view=sync', 'What to do'] } = CONDITIONS[kind];
  const [title = '', ...more] = text.replace(/\.$/, '').split('. ');
  return {
    ...EMPTY,
    id: toWhat(of),
    kind,
    tone: toConditionTone(kind),
    title,
    text: [...more.map((sentence) => `${sentence}.`), ...toRemedy(kind)].join(' '),
    since,
    ...(view && { href: `/admin-leads${view[0]}`, action: view[1] }),
  };
}

/**
 * Returns the failed leads that nobody pays for as one item, about the newest. Payers are listed by
 * name. For news, only leads that failed since the last email count.
 */
async function listFailedLeads(db: Database, isNews: boolean): Promise<AttentionItem[]> {
  const failed = whereLeads(db('leads'), { status: 'failed' })
    .whereRaw(
      `not exists (
         select from subscriptions s
         where s.is_live and s.email_normalised = leads.email_normalised
       )`,
    )
    .whereRaw(
      `(not ? or failed_at > coalesce(
         (select sent_at from notices where channel = 'mail' and what = ?),
         -- As long as notices are kept.
         sync_now() - interval '90 days'
       ))`,
      [isNews, FAILED_LEADS],
    )
    .select('email', 'fullName', 'failedAt', 'submittedAt')
    .orderBy('submittedAt', 'desc')
    .limit(MAX_FAILED);
  const [newest] = await query<{ email: string; name: string | null; since: Date; count: number }>(
    db,
    `with failed as materialized ?
     select email, full_name as name, min(failed_at) over () as since,
       (count(*) over ())::int as count
     from failed
     order by submitted_at desc
     limit 1`,
    [failed],
  );
  if (!newest) return [];
  const { count, ...about } = newest;
  return [
    {
      ...EMPTY,
      ...about,
      id: FAILED_LEADS,
      kind: 'leads-failed',
      tone: 'none',
      title: 'Failed leads',
      text:
        `${count}${count === MAX_FAILED ? ' or more' : ''} could not be sent, and none of them ` +
        'pays. Correct or retry them.',
      href: '/admin-leads?status=failed',
      action: 'See the leads',
    },
  ];
}

/** Returns the settings that production lacks. First run shows them before. */
function toSetUpItems(missing: string[]): AttentionItem[] {
  if (missing.length === 0) return [];
  const words = {
    title: 'Not set up',
    text:
      'Visitors see examples, or nothing. Have these set in the settings of the server: ' +
      `${missing.join(', ')}.`,
  };
  return [{ ...EMPTY, ...words, id: 'set-up', kind: 'set-up', tone: 'pending', since: null }];
}

function toOfferItems({
  offerPhase,
  priceRisesOn,
}: Pick<AttentionSettings['site'], 'offerPhase' | 'priceRisesOn'>): AttentionItem[] {
  if (!isUrgencyClaimStale(offerPhase, priceRisesOn, londonDate(new Date()))) return [];
  const words = {
    title: 'The offer',
    text:
      `The day of the price rise, ${formatCalendarDate(priceRisesOn)}, has passed, and the ` +
      'launch price is still charged. Have the price or its date changed in the settings of the ' +
      'server.',
  };
  return [{ ...EMPTY, ...words, id: 'offer', kind: 'offer', tone: 'pending', since: null }];
}
