import { setTimeout as sleep } from 'node:timers/promises';

import type { Database } from '@site/platform/database/connect';
import { dayBefore, londonDate } from '@site/schema/calendar';
import { MONTH_FIGURES } from '@site/schema/calls/money-figures';
import { OPERATOR_SOURCE } from '@site/schema/lead';
import type { PersonAnswer } from '@site/schema/calls/people';
import type { AttentionItem, MoneyMonth } from '@site/schema/calls/money';
import type { PersonState } from '@site/schema/person-state';

import type { Product } from './product.ts';
import { listAttention, listMoney, readViews } from './views.ts';
import type { Views, Whole } from './views.ts';

/*
 * Invariants of every person, month and item. Each function returns a sentence for each view that
 * disagrees.
 */

const ACCESS = ['trial', 'paying', 'ending', 'dunning'];
const FAILED = ['dunning', 'suspended', 'incomplete'];

/** Deduces a person's state from the facts on their panel. */
function stateOf(panel: PersonAnswer): PersonState {
  if (panel.notReceiving !== null) return 'not-receiving';
  const own = panel.subscriptions.filter(({ email }) => email === panel.lead.email);
  const isDoubted = ({ stage, openDispute, unsettled }: (typeof own)[number]) =>
    !['ended', 'incomplete'].includes(stage) && (openDispute !== null || unsettled !== null);
  if (own.some(isDoubted)) return 'unsettled';
  const hasAccess = own.some(({ stage }) => ACCESS.includes(stage));
  if (!hasAccess && panel.freeAccess?.isOver === false) return 'free-access';
  const main = own.find(({ stripeSubscriptionId: id }) => id === panel.mainSubscription);
  if (!main) return 'none';
  if (main.stage === 'ended') return 'ended';
  if (FAILED.includes(main.stage)) return 'payment-failed';
  return main.firstPaidAt === null ? 'trial' : 'paying';
}

/** 1: the list, the lead's row, the panel and attention name one state. */
export async function findDisagreements(
  product: Product,
  emails: string[],
  tabs: Whole['tabs'] | null,
): Promise<string[]> {
  const items = await listAttention(product);
  const views = await Promise.all(emails.map((email) => readViews(product, email, items)));
  return views.flatMap((each) => compareViews(each, tabs).map((text) => `${each.email}: ${text}`));
}

function compareViews(
  { email, found, rows, panel, attention, unopened }: Views,
  tabs: Whole['tabs'] | null,
): string[] {
  if (!found)
    return rows.some(({ quarantineReason }) => quarantineReason === null)
      ? ['has a lead, but is not found']
      : [];
  if (panel && panel.lead.email.toLowerCase() !== email)
    return [`its panel shows ${panel.lead.email}`];
  const { state } = found;
  const wrong: string[] = [];
  if (panel && panel.state !== state)
    wrong.push(`the list says ${state}, the panel ${panel.state}`);
  if (panel && stateOf(panel) !== state)
    wrong.push(`is ${state}, but the panel shows ${stateOf(panel)}`);
  const hindered = panel?.checkouts.find((each) => each.isAbandoned && each.hindrance !== null);
  if (unopened && panel && unopened.startedAt !== hindered?.startedAt)
    wrong.push(`could not pay at ${unopened.startedAt}, the panel says ${hindered?.startedAt}`);
  const reason = panel?.freeAccess?.reason ?? null;
  if (panel && found.freeReason !== reason)
    wrong.push(`has free access for “${found.freeReason}”, the panel says “${reason}”`);
  const own = panel?.subscriptions.filter((of) => of.email.toLowerCase() === email) ?? [];
  const paid = own
    .flatMap(({ totals }) => totals)
    .reduce((sum, of) => sum + of.paidPence - of.refundedPence - of.heldPence, 0);
  const moneyIn = found.moneyIn.reduce((sum, { pence }) => sum + pence, 0);
  if (panel && moneyIn !== paid) wrong.push(`paid ${moneyIn} net, the panel says ${paid}`);
  // A payer has the name of the card.
  const isGuest =
    panel?.subscriptions.length === 0 && rows.every((row) => row.utmSource === OPERATOR_SOURCE);
  for (const { fullName } of isGuest ? rows : [])
    if (fullName !== found.name) wrong.push(`is ${found.name}, the lead ${fullName}`);
  for (const row of rows)
    if (row.state !== state) wrong.push(`the list says ${state}, the lead ${row.state}`);
  // People whose leads are all automated are in no tab.
  const isNobody = rows.every((row) => row.quarantineReason !== null);
  if (tabs && !tabs[state].includes(email) && !(state === 'none' && isNobody))
    wrong.push(`is ${state}, but not in the tab`);
  const count = (...kinds: string[]) => attention.filter(({ kind }) => kinds.includes(kind)).length;
  const items = count('not-receiving');
  if (items !== Number(state === 'not-receiving'))
    wrong.push(`the list says ${state}, attention has ${items} items`);
  if (state === 'unsettled' && count('unsettled', 'disputes-open') === 0)
    wrong.push('the list says unsettled, attention has no item');
  if (count('unsettled') > 0 && !['unsettled', 'not-receiving'].includes(state))
    wrong.push(`the list says ${state}, attention unsettled`);
  return wrong;
}

/**
 * 5: every payer has a lead that will reach Beehiiv, or needs attention. A payer who receives needs
 * neither: Beehiiv had them before, and refused only a later lead, which was captured for the
 * payment.
 */
export async function findPayersWithoutLead({ db }: Product): Promise<string[]> {
  const { rows } = await db.raw(
    `select email_normalised as email from subscriptions s
     where is_live and email_normalised is not null
       and not exists (
         select from leads
         where leads.email_normalised = s.email_normalised
           and beehiiv_status in ('pending', 'sent')
       )
       and not exists (
         select from people p
         where p.email_normalised = s.email_normalised and status = 'active'
           and tier = 'premium' and tier_confirmed_version = tier_version
       )
       and not exists (
         select from attention where lower(attention.email) = s.email_normalised
       )`,
  );
  return rows.map(({ email }: { email: string }) => `${email} pays, but has no lead`);
}

/** Judging everybody again changes no row. */
export async function findMisjudged({ db }: Product): Promise<string[]> {
  const trx = await db.transaction();
  try {
    // Whom time changes at this moment is judged by the sweep.
    await trx.raw(
      `create temporary table judged on commit drop as
         select * from people
         where coalesce(judge_again_at > sync_now() + interval '1 second', true)
           and not exists (
             select from leads
             where leads.email_normalised = people.email_normalised and submitted_at > seen_at
           )`,
    );
    await trx.raw('select judge_person(email_normalised) from judged');
    const { rows } = await trx.raw(
      `select email_normalised as email, string_agg(before.key || ' ' || before.value || ' → '
           || coalesce(after.value, 'nobody'), ', ') as changes
       from judged left join people using (email_normalised)
         cross join jsonb_each_text(to_jsonb(judged)) before
         left join jsonb_each_text(to_jsonb(people)) after on after.key = before.key
       where before.value is distinct from after.value
       group by 1`,
    );
    return (rows as { email: string; changes: string }[]).map(
      ({ email, changes }) => `${email} is judged anew: ${changes}`,
    );
  } finally {
    await trx.rollback();
  }
}

/** 1: each person is in one tab, whose count is right. The same for Money’s stages. */
export function findWrongCounts({ tabs, everybody, counts, stages }: Whole): string[] {
  const wrong: string[] = [];
  const listed = Object.values(tabs).flat();
  for (const [state, emails] of Object.entries(tabs)) {
    if (counts[state] !== undefined && counts[state] !== emails.length)
      wrong.push(`the tab ${state} shows ${counts[state]}, and lists ${emails.length}`);
  }
  if (listed.length !== new Set(listed).size) wrong.push('somebody is in two tabs');
  if (listed.toSorted().join() !== everybody.toSorted().join())
    wrong.push(`the tabs list ${listed.length}, the whole list ${everybody.length}`);
  for (const { stage, counted, rows } of stages) {
    if (counted !== rows.length)
      wrong.push(`Money shows ${counted} ${stage}, and lists ${rows.length}`);
  }
  return wrong;
}

/** The figures with rows. */
const FIGURES = MONTH_FIGURES.flatMap(({ name, list }) => (list ? [{ name, of: list }] : []));

/** 2: each figure of a month is the sum of its rows, money in is what was paid less what was taken,
 * and a closed month never changes. */
export async function findWrongMonths(
  product: Product,
  closed: Map<string, string>,
): Promise<string[]> {
  const { months } = (
    await product.call('GET /api/admin/money/history', { query: { months: '13' } })
  ).body;
  const wrong = months.flatMap((month) => compareClosed(product, month, closed));
  for (const { month, paid, refunded, lost, moneyIn } of months) {
    const sum = (paid?.pence ?? 0) - (refunded?.pence ?? 0) - (lost?.pence ?? 0);
    if ((moneyIn?.pence ?? 0) !== sum)
      wrong.push(`${month} shows ${moneyIn?.pence} in, not ${sum}`);
  }
  for (const { of, name } of FIGURES) {
    const { rows, total } = await listMoney(product, { of });
    const sum = rows.reduce((all, { amount }) => all + amount.pence, 0);
    if (total.count !== rows.length || total.pence !== sum)
      wrong.push(
        `${of} shows ${total.count} rows of ${total.pence}, and lists ${rows.length} of ${sum}`,
      );
    const payers = rows.map(({ dashboardUrl }) => dashboardUrl);
    if ((of === 'new-payers' || of === 'ended-payers') && payers.length !== new Set(payers).size)
      wrong.push(`${of} lists a subscription twice`);
    for (const month of months) {
      const own = rows.filter(({ at }) => at !== null && monthOf(at) === month.month);
      const figure = month[name];
      const shown = typeof figure === 'number' ? figure : figure?.pence;
      const listed =
        typeof figure === 'number'
          ? own.length
          : own.reduce((all, { amount }) => all + amount.pence, 0);
      if (shown !== undefined && shown !== listed)
        wrong.push(`${month.month} shows ${shown} ${of}, its rows are ${listed}`);
    }
  }
  const { cancelledTrials, week } = (await product.call('GET /api/admin/overview')).body;
  const thisMonth = dayBefore(week.startDate).slice(0, 7);
  const trials = (await listMoney(product, { of: 'cancelled-trials' })).rows.filter(
    ({ at }) => at !== null && monthOf(at) === thisMonth,
  );
  if (trials.length !== cancelledTrials.count)
    wrong.push(`${cancelledTrials.count} trials cancelled, ${trials.length} are listed`);
  return wrong;
}

const monthOf = (at: string) => londonDate(new Date(at)).slice(0, 7);

/** Compares the figures of a month that had ended at Stripe at the last reading. */
function compareClosed({ sandbox }: Product, month: MoneyMonth, closed: Map<string, string>) {
  const isOver = month.month < sandbox.stripe.now().toISOString().slice(0, 7);
  return FIGURES.flatMap(({ name }) => {
    // Payers are unknown before the first night.
    if (month[name] === null) return [];
    const key = `${name} of ${month.month}`;
    const figure = JSON.stringify(month[name]);
    const before = closed.get(key);
    // Kept from the first reading, because a later reading would hide a change.
    if (isOver && before === undefined) closed.set(key, figure);
    return before === undefined || before === figure
      ? []
      : [`${key} was closed with ${before}, and is ${figure}`];
  });
}

/**
 * Stores the night that ended the last month at Stripe, as the API would. The API closes days on
 * our clock, which is far ahead.
 */
export async function closeMonth({ db, sandbox }: Product): Promise<void> {
  await db.raw(
    `with night as (
       insert into money_nights (day, payers)
       select date_trunc('month', ?::timestamptz at time zone 'Europe/London')::date - 1, 0
       on conflict (day) do nothing
       returning day
     )
     insert into closed_moves (day, list, stripe_subscription_id, at, pence)
     select day, list, stripe_subscription_id, at, monthly_pence
     from night, payer_moves
     where at < midnight(day + 1)
       and at >= (select coalesce(midnight(max(day) + 1), '-infinity') from money_nights)`,
    [sandbox.stripe.now()],
  );
}

/**
 * 3: after a comparison, attention names exactly once each payer and reader who is not active on
 * the paid list, and nobody else.
 */
export async function findWrongAttention(product: Product): Promise<string[]> {
  const { db, sandbox } = product;
  const { rows } = await db.raw(
    `select email_normalised as email from subscriptions where is_live and email_normalised is not null
     union
     select p.email_normalised from people p
       join subscriptions s on s.stripe_subscription_id = p.free_with_subscription
     where s.is_live`,
  );
  const entitled = (rows as { email: string }[]).map(({ email }) => email);
  const expected = entitled.filter((email) => {
    const subscriber = sandbox.beehiiv.find(email);
    return subscriber?.status !== 'active' || subscriber.subscription_tier !== 'premium';
  });
  const items = await listAttention(product);
  const listed = items.flatMap(({ kind, email }) =>
    kind === 'not-receiving' && email !== null ? email.toLowerCase() : [],
  );
  const missing = expected.filter((email) => !listed.includes(email));
  const wrong = listed.filter(
    (email, index) => !expected.includes(email) || listed.indexOf(email) !== index,
  );
  const why = (email: string) =>
    items
      .filter((item) => item.email?.toLowerCase() === email)
      .map(({ kind, text }) => `${kind}, ${text}`)
      .join('; ');
  return [
    ...missing.map((email) => `${email} pays and does not receive, but attention does not say so`),
    ...wrong.map(
      (email) => `attention names ${email}, who receives or is named twice: ${why(email)}`,
    ),
  ];
}

const GRAVE = ['not-receiving', 'disputes-open'];
const MAILED_WITHIN_MS = 60_000;

/** 7: each grave item is in a mail within a minute, and in no second mail. */
export async function findWrongMails(product: Product): Promise<string[]> {
  const grave = (await listAttention(product)).filter(({ kind }) => GRAVE.includes(kind));
  const { rows } = await product.db.raw(
    `select what as item from notices where channel = 'mail' and resolved_at is null`,
  );
  const known = new Set((rows as { item: string }[]).map(({ item }) => item));
  const rowsOf = ({ id }: AttentionItem) => product.mailRows.get(id) ?? new Set<string>();
  const count = (item: AttentionItem) =>
    product.sandbox
      .mails()
      .filter(({ html }) => [...rowsOf(item)].some((row) => html.includes(row))).length;
  const before = new Map(grave.map((item) => [item.id, count(item)]));
  // A mail does not distinguish two disputes of one person.
  const alike = (item: AttentionItem) =>
    grave.filter((each) => [...rowsOf(each)].some((row) => rowsOf(item).has(row))).length;
  const most = (item: AttentionItem) => {
    const had = before.get(item.id) ?? 0;
    // An item that was resolved and returned is also in an older mail.
    return known.has(item.id) ? Math.max(alike(item), had) : had + alike(item);
  };
  await sleep(MAILED_WITHIN_MS);
  // What was resolved before the next mail is no longer news.
  const isOpen = new Set((await listAttention(product)).map(({ id }) => id));
  const late = grave.filter((item) => isOpen.has(item.id) && count(item) === 0);
  await sleep(MAILED_WITHIN_MS);
  const twice = grave.filter((item) => count(item) > most(item));
  return [
    ...late.map(({ title, email }) => `${title}, ${email}, was not mailed`),
    ...twice.map(({ title, email }) => `${title}, ${email}, was mailed again`),
  ];
}

/** 4: no column of any table has a word of an erased person. */
export async function findErased(db: Database, words: string[]): Promise<string[]> {
  if (words.length === 0) return [];
  const { rows: tables } = await db.raw(
    `select quote_ident(relname) as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  );
  const wrong: string[] = [];
  for (const { name } of tables as { name: string }[]) {
    const { rows } = await db.raw(
      `select word, left(each::text, 400) as text from unnest(?::text[]) word
         join ${name} each on position(word in each::text) > 0`,
      [words],
    );
    for (const { word, text } of rows as { word: string; text: string }[])
      wrong.push(`${word} was erased, but is in ${name}: ${text}`);
  }
  return wrong;
}

/** Where a former email may stand: what is under way, and an empty person. */
const KEEP_FORMER = ['former_emails', 'removal_requests', 'lead_sync_attempts'];

/**
 * What Beehiiv's list has, although nobody has the email here, the row of our unsubscription, and a
 * customer's email at Stripe, which an operator sees beside the corrected one.
 */
const EXCEPTIONS: Record<string, string> = {
  subscriptions: 'where lower(customer_email) is distinct from former',
  differences: `where kind <> 'unknown-here' or subscriber_status <> 'inactive'`,
  people: `where name is not null or seen_at > '-infinity'`,
};

/**
 * 8: an email that nobody has any more stands under nothing but the record of its correction. 10: a
 * note belongs to somebody who is there.
 */
export async function findLeftBehind(db: Database): Promise<string[]> {
  const { rows: tables } = await db.raw(
    `select quote_ident(relname) as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r'
       and relname <> all(?::text[])`,
    [KEEP_FORMER],
  );
  const { rows: former } = await db.raw(
    `select distinct email_normalised as email from former_emails
     where not exists (
       select from people
       where people.email_normalised = former_emails.email_normalised and seen_at > '-infinity'
     )`,
  );
  const emails = (former as { email: string }[]).map(({ email }) => email);
  const wrong: string[] = [];
  for (const { name } of tables as { name: string }[]) {
    const { rows } = await db.raw(
      `select former as email, left(each::text, 400) as text from unnest(?::text[]) former
         join ${name} each on position(former in lower(each::text)) > 0
       ${EXCEPTIONS[name] ?? ''}`,
      [emails],
    );
    for (const { email, text } of rows as { email: string; text: string }[])
      wrong.push(`${email} is nobody's, but is in ${name}: ${text}`);
  }
  const { rows: notes } = await db.raw(
    `select email_normalised as email from notes
     where not exists (
       select from people
       where people.email_normalised = notes.email_normalised and seen_at > '-infinity'
     )`,
  );
  for (const { email } of notes as { email: string }[])
    wrong.push(`a note is about ${email}, who is not there`);
  return wrong;
}

/**
 * 9: whoever consented, was corrected, pays or has free access is subscribed at their email, or is
 * asked to confirm. `subscribing` are leads, because a consent moves with its lead. A person whose
 * lead Beehiiv refused waits for an operator. None of `emails` has left by itself yet.
 */
export async function findUnsubscribed(
  { db, sandbox }: Product,
  { emails, subscribing }: { emails: string[]; subscribing: ReadonlySet<string> },
): Promise<string[]> {
  const { rows } = await db.raw(
    `select email_normalised as email, 'has a lead' as why from leads
     where id = any(?::uuid[]) and beehiiv_status = 'sent'
     union
     select email_normalised, why from (
       select email_normalised, 'pays' as why from subscriptions where is_live
       union
       select email_normalised, 'has free access' from people
       where free_until > now() or free_with_subscription in (
         select stripe_subscription_id from subscriptions where is_live
       )
     ) entitled
     where email_normalised = any(?) and exists (
       select from leads
       where leads.email_normalised = entitled.email_normalised and beehiiv_status = 'sent'
     )`,
    [[...subscribing], emails],
  );
  return (rows as { email: string; why: string }[]).flatMap(({ email, why }) => {
    const status = sandbox.beehiiv.find(email)?.status ?? 'absent';
    const isThere = ['active', 'pending', 'validating'].includes(status);
    return isThere ? [] : [`${email} ${why}, but is ${status} at Beehiiv`];
  });
}

/** 6: no event was parked for a lost race, and Postgres ended no transaction for a deadlock. */
export async function findLostRaces({ db }: Product): Promise<string[]> {
  const { rows } = await db.raw(`select type, failure from stripe_events where outcome = 'parked'`);
  const { rows: counted } = await db.raw(
    'select deadlocks::int from pg_stat_database where datname = current_database()',
  );
  const wrong = rows.map(
    ({ type, failure }: Record<string, string>) => `${type} is parked: ${failure}`,
  );
  if (counted[0].deadlocks > 0) wrong.push(`Postgres counts ${counted[0].deadlocks} deadlocks`);
  return wrong;
}

/** 6: a refused call stored nothing. */
export async function countStored({ db }: Product): Promise<string> {
  const { rows } = await db.raw(
    `select (select count(*) from leads) as leads, (select count(*) from checkouts) as checkouts,
       (select count(*) from notes) as notes, (select count(*) from removal_requests) as requests`,
  );
  return JSON.stringify(rows[0]);
}
