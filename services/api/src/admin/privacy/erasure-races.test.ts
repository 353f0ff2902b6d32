import { countLockWaits, openTransaction, storeLead } from '@site/testing/builders';
import { stepBulkRetry } from '@site/platform/outbox/retry';
import type { Database } from '@site/platform/database/connect';
import type { LeadRow } from '@site/platform/database/tables';
import type { Sandbox } from '@site/sandbox/sandbox';
import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { describe, expect, inject } from 'vitest';
import { planSetUp } from '../../stripe/set-up.ts';
import { test as base } from '../../testing/api.fixture.ts';
import type { Answer, Api } from '../../testing/api.fixture.ts';
import { erase } from './privacy.service.ts';

const EMAILS = ['ada@x.example', 'Boss@x.example', 'c-yd@x.example'];
const [ADA = '', BOSS = ''] = EMAILS;

const test = base
  .extend('shop', async ({ newApi, sandbox }) => {
    const settings = {
      RATE_LIMIT_LEADS_PER_MINUTE: '0',
      STRIPE_WEBHOOK_SECRET: sandbox.credentials.stripeWebhookSecret,
    };
    const api = await newApi(settings, { stripeUrl: sandbox.url });
    for (const change of await planSetUp(api.deps.stripe, 'launch')) await change.apply();
    return api;
  })
  .extend('headers', ({ shop }) => shop.logIn());

/** Delivers an event, signed as by Stripe. */
async function deliver(shop: Api, sandbox: Sandbox, event: object): Promise<Answer> {
  const payload = JSON.stringify(event);
  const secret = sandbox.credentials.stripeWebhookSecret;
  const signature = shop.deps.stripe.webhooks.generateTestHeaderString({ payload, secret });
  const headers = { 'Stripe-Signature': signature };
  return shop.call('POST', '/api/stripe/webhook', { headers, body: payload });
}

/** Opens a checkout as the site does, and pays. Returns the checkout's event. */
async function pay(shop: Api, sandbox: Sandbox, email: string, leadId: string | undefined) {
  const session = await shop.deps.stripe.checkout.sessions.create({
    mode: 'subscription',
    line_items: [{ price: sandbox.stripe.prices.newestFirst()[0]!.id, quantity: 1 }],
    success_url: 'http://site.example',
    ...(leadId !== undefined && { client_reference_id: leadId, metadata: { lead_id: leadId } }),
  });
  sandbox.stripe.completeCheckout(session.id, { email });
  const events = sandbox.stripe.events.newestFirst();
  return events.find(
    ({ type, data }) => type === 'checkout.session.completed' && data.object['id'] === session.id,
  )!;
}

/** Erases somebody in a transaction that stays open until the work waits for it, or is done. */
async function whileErasing<T>(db: Database, work: () => Promise<T>, waits = 1): Promise<T> {
  const erasing = await openTransaction(db);
  await erase({ db: erasing, newId: randomUUID }, 'ana', ADA);
  const done = work();
  if (waits > 0) await expect.poll(() => countLockWaits(db)).toBe(waits);
  else await done;
  await erasing.commit();
  return done;
}

describe('an erasure under way', () => {
  test('a repeat of the lead is refused, and a new submission is stored', async ({ shop, db }) => {
    const body = { email: ADA, formType: 'pre_buy', consentMarketing: true };
    const submit = () =>
      shop.call('POST', '/api/lead/subscribe', { body, headers: { 'Idempotency-Key': 'a' } });
    const first = await submit();

    const again = await whileErasing(db, submit);

    expect([first.status, again.status]).toEqual([201, 410]);
    expect(await db('leads').pluck('id')).toEqual([]);
    const anew = await shop.call('POST', '/api/lead/subscribe', { body });
    expect(await db('leads').pluck('id')).toEqual([anew.json.id]);
  });

  test('a checkout that somebody else paid for is stored without the lead', async ({
    shop,
    sandbox,
    db,
  }) => {
    const lead = await storeLead(db, { email: ADA });
    const event = await pay(shop, sandbox, BOSS, lead.id);

    const answer = await whileErasing(db, () => deliver(shop, sandbox, event));

    expect(answer.json).toMatchObject({ outcome: 'applied' });
    const stored = await db('subscriptions').first('email', 'name', 'leadId');
    expect(stored).toMatchObject({ email: 'Boss@x.example' });
    expect(await db('leads')).toMatchObject([{ id: stored?.leadId, email: 'Boss@x.example' }]);
    expect(await db('people').pluck('email_normalised')).toEqual(['boss@x.example']);
  });

  test('a bulk retry leaves out the lead', async ({ shop, headers, db }) => {
    const failed = { beehiivStatus: 'failed', nextAttemptAt: null } as const;
    await storeLead(db, { ...failed, email: ADA });
    const other = await storeLead(db, { ...failed, email: BOSS });
    const body = { filter: {} };

    const run = await whileErasing(
      db,
      () => shop.call('POST', '/api/admin/leads/retry', { headers, body }),
      0,
    );

    expect(run).toMatchObject({ status: 202, json: { total: 1, waiting: 1 } });
    expect(await db('leads').pluck('id')).toEqual([other.id]);
  });
});

const email = fc.constantFrom(...EMAILS);
const number = fc.nat(1_000);
const operation = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('submit' as const),
      email,
      isBot: fc.boolean(),
      key: fc.constantFrom('a', 'b'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('event' as const), number }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('correct' as const), email, number }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('access' as const), email }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('erase' as const), email }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('retry' as const), number }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('bulk retry' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('step' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('stop' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const) }) },
);
type Operation = typeof operation extends fc.Arbitrary<infer Each> ? Each : never;

type Scene = {
  shop: Api;
  headers: Record<string, string>;
  sandbox: Sandbox;
  db: Database;
};

/**
 * Plays rounds of operations at once. Returns the 5xx answers, and the failures of parked events.
 */
async function play({ shop, headers, sandbox, db }: Scene, rounds: number): Promise<unknown[]> {
  const failures: unknown[] = [];
  const seed = inject('modelSeed') ?? Date.now();
  const several = fc.array(operation, { minLength: 10, maxLength: 14 });
  for (const [round, operations] of fc.sample(several, { numRuns: rounds, seed }).entries()) {
    await prepare(round);
    const leads = await db<LeadRow>('leads').orderBy('id').select('id');
    const ids = leads.map(({ id }) => id);
    const events = sandbox.stripe.events
      .newestFirst()
      .filter(({ type }) => /^(?:checkout|customer\.sub|invoice)/.test(type))
      .slice(0, 12);
    const call = (path: string, body: object) => shop.call('POST', path, { headers, body });
    const perform = async (chosen: Operation): Promise<Answer | undefined> => {
      switch (chosen.do) {
        case 'submit':
          return shop.call('POST', '/api/lead/subscribe', {
            headers: { 'Idempotency-Key': chosen.key },
            body: {
              email: chosen.email,
              formType: 'pre_buy',
              website: chosen.isBot ? 'filled' : undefined,
            },
          });
        case 'event': {
          const event = events[chosen.number % events.length];
          return event && deliver(shop, sandbox, { ...event, id: `evt_${randomUUID()}` });
        }
        case 'correct': {
          const id = ids[chosen.number % Math.max(1, ids.length)];
          return id === undefined
            ? undefined
            : call(`/api/admin/leads/${id}/correct`, { email: chosen.email });
        }
        case 'access':
          return call('/api/admin/people/free-access', {
            email: chosen.email,
            until: new Date(Date.now() + 86_400_000),
          });
        case 'erase':
          return call('/api/admin/people/erase', { email: chosen.email });
        case 'retry':
          return call('/api/admin/leads/retry', {
            ids: ids.toReversed().slice(0, (chosen.number % 4) + 1),
          });
        case 'bulk retry':
          return call('/api/admin/leads/retry', { filter: {}, withQuarantined: true });
        case 'step':
          await stepBulkRetry(db);
          return undefined;
        case 'stop': {
          const run = await db('bulk_retries').whereNull('finishedAt').first('id');
          return run && call(`/api/admin/bulk-retries/${run.id}/stop`, {});
        }
        case 'delete':
          return call('/api/admin/leads/delete-quarantined', { filter: {} });
      }
    };
    await Promise.all(
      operations.map(async (chosen) => {
        const answer = await perform(chosen).catch((error: unknown) => ({ status: 500, error }));
        if (answer && answer.status >= 500) failures.push({ seed, round, chosen, answer });
      }),
    );
  }
  return [
    ...failures,
    ...(await db('stripe_events').where({ outcome: 'parked' }).select('failure')),
  ];

  /**
   * Leaves failed leads, a checkout whose event has not come, and nothing that forbids an erasure.
   */
  async function prepare(round: number): Promise<void> {
    await db('bulk_retries').whereNull('finishedAt').update({ finishedAt: db.fn.now() });
    await db('leads').where({ beehiivStatus: 'pending' }).update({
      beehiivStatus: 'failed',
      nextAttemptAt: null,
    });
    const at = (n: number) => EMAILS[(round + n) % EMAILS.length] ?? ADA;
    const lead = await storeLead(db, {
      email: at(0),
      beehiivStatus: 'failed',
      nextAttemptAt: null,
    });
    await storeLead(db, { email: at(1), beehiivStatus: 'failed', nextAttemptAt: null });
    await pay(shop, sandbox, at(1), lead.id);
    const paid = sandbox.stripe.subscriptions.newestFirst().slice(1, 4);
    for (const { id, status } of paid)
      if (status !== 'canceled') await shop.deps.stripe.subscriptions.cancel(id);
    await db('subscriptions').update({ status: 'canceled' });
  }
}

test(
  'whatever happens at once, nothing fails',
  { timeout: 120_000 },
  async ({ shop, headers, sandbox, db }) => {
    expect(await play({ shop, headers, sandbox, db }, 4)).toEqual([]);
  },
);
