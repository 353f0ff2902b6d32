import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';

import type { Drill } from './drill.ts';
import { test } from './drill.fixture.ts';
import { within } from './within.ts';

const SECRET = 'secret-of-the-drills-webhook-0123456789';
const PAYER = 'payer+exists@reader.example';
const EVENTS = 10_000;
const PAYERS = 20;
const MINUTE_MS = 60_000;
const TICK_MS = 100;

/** Starts API and worker, and waits until the webhook is registered. */
async function start(drill: Drill, env: Record<string, string> = {}) {
  const set = { BEEHIIV_WEBHOOK_SECRET: SECRET, LOG_LEVEL: 'debug', ...env };
  const api = await drill.startApi(set);
  const startWorker = (more = {}) => drill.startWorker({ ...set, PUBLIC_URL: api.url, ...more });
  const worker = await startWorker();
  await within(20_000, 'the webhook is registered', () =>
    drill.requests('POST').some(({ path, status }) => path.endsWith('/webhooks') && status === 200),
  );
  return { api, worker, startWorker };
}

/** Stores people who are active at Beehiiv, the first of them payers. */
async function storePeople(drill: Drill, people: number, payers: number): Promise<void> {
  await drill.db.raw(
    `insert into people (
       email_normalised, email, state, live_subscriptions, status, status_since, learned_at,
       tier, tier_version, tier_confirmed_version, tier_since, tier_confirmed_at,
       tier_next_attempt_at
     )
     select email, email, 'none', paid, 'inactive', now(), now() - interval '1 hour',
       case when paid = 1 then 'premium' end, paid, paid, case when paid = 1 then now() end,
       case when paid = 1 then now() end, case when paid = 1 then now() end
     from (
       select 'reader' || n || '+exists@reader.example' as email, (n <= :payers)::int as paid
       from generate_series(1, :people::int) n
     ) made`,
    { people, payers },
  );
}

const send = (url: string, email: string) =>
  fetch(`${url}/api/beehiiv/events/${SECRET}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ uid: email, event_type: 'subscription.created', data: { email } }),
  });

test('a check survives a worker that is killed before its answer', async ({ drill }) => {
  const { api, worker, startWorker } = await start(drill);
  await drill.db('people').insert({ emailNormalised: PAYER, email: PAYER, liveSubscriptions: 1 });
  drill.beehiiv('hang');

  expect((await send(api.url, PAYER)).status).toBe(204);
  await within(10_000, 'the person is being looked up', () =>
    drill.requests('GET').some(({ path, status }) => /by_email/.test(path) && status === null),
  );
  await worker.kill();
  drill.beehiiv('ok');
  await startWorker();
  await drill.passTime(46);

  await within(20_000, 'another worker looks the person up', async () =>
    Boolean(await drill.db('people').where({ status: 'active', checkAskedAt: null }).first()),
  );
  const logs = [api, worker].flatMap((process) => process.log()).join('\n');
  expect(logs).toContain('/api/beehiiv/events/:secret');
  expect(logs).not.toContain(SECRET);
  expect(JSON.stringify(drill.requests())).not.toContain(SECRET);
});

test(
  'ten thousand events in a minute delay no lead and lose no check',
  { timeout: 8 * MINUTE_MS },
  async ({ drill }) => {
    const { api, worker, startWorker } = await start(drill, {
      LOG_LEVEL: 'info',
      BEEHIIV_REQUESTS_PER_MINUTE: '150',
    });
    await storePeople(drill, EVENTS, PAYERS);
    const visits = drill.ledger.visit(1);
    const since = Date.now();
    const answers: Promise<number>[] = [];
    // The payers come last, behind everybody else.
    for (let n = EVENTS; n > 0;) {
      const due = Math.min(EVENTS, ((Date.now() - since) / MINUTE_MS) * EVENTS);
      for (; n > 0 && EVENTS - n < due; n -= 1)
        answers.push(
          send(api.url, `reader${n}+exists@reader.example`).then(({ status }) => status),
        );
      await sleep(TICK_MS);
    }
    const statuses = new Set(await Promise.all(answers));
    const sentSeconds = (Date.now() - since) / 1_000;
    const unseen = `live_subscriptions > 0 and status is distinct from 'active'`;
    const countPeople = async (where: string) =>
      Number((await drill.db('people').whereRaw(where).count({ n: '*' }))[0]?.['n']);
    await within(
      MINUTE_MS,
      'every payer is looked up',
      async () => (await countPeople(unseen)) === 0,
    );
    await visits.end();
    await drill.settle(30_000);

    const { rows } = await drill.db.raw(
      `select count(*)::int as leads,
         max(extract(epoch from beehiiv_sent_at - submitted_at))::float8 as slowest,
         (select max(extract(epoch from learned_at - heard_at))::float8 from people
          where live_subscriptions > 0) as payers,
         (select count(*)::int from people where heard_at is not null) as heard,
         (select count(*)::int from people where status = 'active') as looked_up
       from leads`,
    );
    const { leads, slowest, payers, heard, lookedUp } = rows[0];
    console.log(
      `${EVENTS} events in ${sentSeconds.toFixed(0)} s. ${leads} leads meanwhile, the slowest sent ` +
        `after ${slowest.toFixed(1)} s. Payers looked up within ${payers.toFixed(1)} s, ` +
        `${lookedUp} people so far.`,
    );
    expect([...statuses]).toEqual([204]);
    expect(heard).toBe(EVENTS);
    expect(slowest).toBeLessThan(10);
    expect(payers).toBeLessThan(60);

    // Without the rate limiter, so that the rest does not take an hour.
    await worker.stop();
    await startWorker({ BEEHIIV_REQUESTS_PER_MINUTE: '0' });
    await within(
      5 * MINUTE_MS,
      'everybody is looked up',
      async () =>
        (await countPeople(`heard_at is not null and status is distinct from 'active'`)) === 0,
    );
    expect(await drill.audit()).toEqual([]);
  },
);
