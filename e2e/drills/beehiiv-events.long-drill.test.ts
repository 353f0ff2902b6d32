import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';

import type { Drill } from './drill.ts';
import { test } from './drill.fixture.ts';
import { within } from './within.ts';

const SECRET = 'secret-of-the-drills-webhook-0123456789';
const EVENTS = 10_000;
const PAYERS = 20;
const MINUTE_MS = 60_000;
const TICK_MS = 100;

/** Starts API and worker, and waits until the webhook is registered. */
async function start(drill: Drill) {
  const env = { BEEHIIV_WEBHOOK_SECRET: SECRET, BEEHIIV_REQUESTS_PER_MINUTE: '150' };
  const api = await drill.startApi(env);
  await drill.startWorker({ ...env, PUBLIC_URL: api.url });
  await within(20_000, 'the webhook is registered', () =>
    drill.requests('POST').some(({ path, status }) => path.endsWith('/webhooks') && status === 200),
  );
  return api;
}

/** Stores people whom Beehiiv has as active, the first of them payers. Here they seem gone. */
async function storePeople({ db }: Drill): Promise<void> {
  await db.raw(
    `insert into people (email_normalised, email, state, status, status_since, learned_at)
     select email, email, 'none', 'inactive', now(), now() - interval '1 hour'
     from (
       select 'reader' || n || '+exists@reader.example' as email
       from generate_series(1, :events::int) n
     ) made`,
    { events: EVENTS },
  );
  await db.raw(
    `insert into subscriptions (
       id, email, stripe_subscription_id, stripe_customer_id, status, plan, amount_pence,
       started_at, snapshot_at
     )
     select gen_random_uuid(), 'reader' || n || '+exists@reader.example', 'sub_' || n, 'cus_' || n,
       'active', 'monthly', 23900, now(), now()
     from generate_series(1, :payers::int) n`,
    { payers: PAYERS },
  );
  await db.raw('select judge_person(email_normalised) from subscriptions');
}

const emailOf = (n: number) => `reader${n}+exists@reader.example`;
const send = (url: string, email: string) =>
  fetch(`${url}/api/beehiiv/events/${SECRET}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ uid: email, event_type: 'subscription.created', data: { email } }),
  });

/** Sends an event about everybody, evenly over a minute, payers last. Returns the statuses. */
async function flood(url: string): Promise<Set<number>> {
  const since = Date.now();
  const answers: Promise<number>[] = [];
  for (let n = EVENTS; n > 0;) {
    const due = Math.min(EVENTS, ((Date.now() - since) / MINUTE_MS) * EVENTS);
    for (; n > 0 && EVENTS - n < due; n -= 1)
      answers.push(send(url, emailOf(n)).then(({ status }) => status));
    await sleep(TICK_MS);
  }
  return new Set(await Promise.all(answers));
}

type Delivery = { leads: number; median: number; slowest: number };

/** Brings a lead a second while `work` runs, and returns how many seconds they waited. */
async function deliverDuring(drill: Drill, work: () => Promise<unknown>): Promise<Delivery> {
  const since = new Date();
  const visits = drill.ledger.visit(1);
  await work();
  await visits.end();
  await drill.settle(30_000);
  const { rows } = await drill.db.raw(
    `select count(*)::int as leads, max(waited)::float8 as slowest,
       percentile_cont(0.5) within group (order by waited) as median
     from (
       select extract(epoch from beehiiv_sent_at - submitted_at) as waited from leads
       where submitted_at >= ?
     ) sent`,
    [since],
  );
  return rows[0];
}

test(
  'ten thousand events in a minute delay no lead and lose no check',
  {
    timeout: 5 * MINUTE_MS,
  },
  async ({ drill }) => {
    const api = await start(drill);
    await storePeople(drill);
    const countPeople = async (where: string) =>
      Number((await drill.db('people').whereRaw(where).count({ n: '*' }))[0]?.['n']);
    const before = await deliverDuring(drill, () => sleep(MINUTE_MS));
    let statuses = new Set<number>();
    let payersMs = 0;

    const during = await deliverDuring(drill, async () => {
      statuses = await flood(api.url);
      const since = Date.now();
      await within(
        MINUTE_MS,
        'every payer is looked up',
        async () => (await countPeople(`live_subscriptions > 0 and status <> 'active'`)) === 0,
      );
      payersMs = Date.now() - since;
    });

    const toText = ({ leads, median, slowest }: Delivery) =>
      `${leads} leads, median ${median.toFixed(1)} s, slowest ${slowest.toFixed(1)} s`;
    console.log(
      `Without events: ${toText(before)}. During ${EVENTS}: ${toText(during)}. ${PAYERS} payers ` +
        `were looked up ${(payersMs / 1_000).toFixed(1)} s after the last event.`,
    );
    expect([...statuses]).toEqual([204]);
    expect(await countPeople(`heard_at is not null and email like 'reader%'`)).toBe(EVENTS);
    expect(during.slowest).toBeLessThan(before.slowest + 5);

    const isChecked = `learned_at >= date_trunc('milliseconds', heard_at)`;
    const isKept = `(check_due_at <= sync_now() or ${isChecked})`;
    const lost = drill.db('people').whereRaw(`email like 'reader%' and ${isKept} is not true`);
    expect(await lost).toEqual([]);
    // The events' people are at Beehiiv without a lead.
    const faults = (await drill.audit()).filter((fault) => !fault.startsWith('reader'));
    expect(faults).toEqual([]);
  },
);
