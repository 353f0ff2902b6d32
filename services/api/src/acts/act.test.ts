// @module-tag long
import type { Database } from '@site/platform/database/connect';
import { countLockWaits, openTransaction, storeLead } from '@site/testing/builders';
import { randomUUID } from 'node:crypto';
import Stripe from 'stripe';
import { describe, expect, vi } from 'vitest';
import { erase } from '../admin/privacy/privacy.service.ts';
import { OPERATOR } from '../testing/api.fixture.ts';
import type { Answer, Api } from '../testing/api.fixture.ts';
import { test as base } from '../testing/payer.fixture.ts';
import { applyMissedEvents } from '../billing/inbox/missed-events.ts';

const EMAIL = 'Priya@reader.example';
const LINK = { email: EMAIL, plan: 'monthly' };

type Scene = {
  shop: Api;
  sandbox: { stripe: { webhooksSettled(): Promise<void> } };
  id: string;
  post: (path: string, body: object, key?: string) => Promise<Answer>;
};

/** Somebody who paid once, and an operator's calls with a key. */
const test = base
  .extend(
    'ask',
    ({ shop, headers }) =>
      (path: string, body: object, key = 'a') =>
        shop.call('POST', `/api/${path}`, {
          headers: { ...headers, 'Idempotency-Key': key },
          body,
        }),
  )
  .extend('paid', async ({ shop, subscribe, sandbox, ask }) => {
    const { subscription } = await subscribe(EMAIL);
    sandbox.stripe.advance({ days: 7 });
    await sandbox.stripe.webhooksSettled();
    return { shop, sandbox, id: subscription.id, post: ask };
  });

const calls = {
  refund: ({ post, id }: Scene) =>
    post(`admin/subscriptions/${id}/refund`, { amountPence: 500, note: 'By phone' }),
  'refund and cancel': ({ post, id }: Scene) =>
    post(`admin/subscriptions/${id}/refund`, { note: 'By phone', cancel: 'now' }),
  'cancel now': ({ post, id }: Scene) => post(`admin/subscriptions/${id}/cancel`, { when: 'now' }),
  'cancel at the end': ({ post, id }: Scene) =>
    post(`admin/subscriptions/${id}/cancel`, { when: 'period-end' }),
  resume: ({ post, id }: Scene) => post(`admin/subscriptions/${id}/resume`, {}),
};
type Called = keyof typeof calls;

/** The method of Stripe's SDK that each act calls. */
const METHODS = {
  refund: ['refunds', 'create'],
  'refund and cancel': ['refunds', 'create'],
  'cancel now': ['subscriptions', 'cancel'],
  'cancel at the end': ['subscriptions', 'update'],
  resume: ['subscriptions', 'update'],
} as const;

/** Runs `after` each time Stripe has done what the method asks for, before its answer arrives. */
function whenDone(target: object, method: string, after: () => Promise<void>) {
  const spied = target as Record<string, (...given: unknown[]) => Promise<unknown>>;
  const real = spied[method]!.bind(target);
  return vi.spyOn(spied, method).mockImplementation(async (...given) => {
    const done = await real(...given);
    await after();
    return done;
  });
}
const whenDoneBy = ({ shop }: Scene, act: Called, after: () => Promise<void>) =>
  whenDone(shop.deps.stripe[METHODS[act][0]], METHODS[act][1], after);

const lose = () =>
  Promise.reject(new Stripe.errors.StripeConnectionError({ message: 'broken', type: 'api_error' }));

/** Lists the tables that name somebody, but those of the erasure itself. */
async function listNaming(db: Database, email: string): Promise<string[]> {
  const found: string[] = [];
  const tables = await db('pg_tables').whereRaw('schemaname = current_schema()').pluck('tablename');
  for (const table of tables)
    if (!['removal_requests', 'email_leases'].includes(table)) {
      const rows = JSON.stringify(await db(table));
      if (rows.toLowerCase().includes(email.toLowerCase()) || rows.includes('By phone'))
        found.push(table);
    }
  return found;
}

describe('an erasure before Stripe answers', () => {
  const once = (work: () => Promise<void>) => {
    let isDone = false;
    return async () => {
      if (isDone) return;
      isDone = true;
      await work();
    };
  };

  test.for(Object.keys(calls) as Called[])(
    'nothing about the person is stored after: %s',
    async (act, { paid, db, sandbox }) => {
      const { subscriptions } = paid.shop.deps.stripe;
      const cancel = subscriptions.cancel.bind(subscriptions);
      if (act === 'resume') await subscriptions.update(paid.id, { cancel_at_period_end: true });
      await sandbox.stripe.webhooksSettled();
      let erased: Answer | undefined;
      whenDoneBy(
        paid,
        act,
        once(async () => {
          if (sandbox.stripe.subscriptions.find(paid.id)!.status !== 'canceled')
            await cancel(paid.id);
          await sandbox.stripe.webhooksSettled();
          erased = await paid.post('admin/people/erase', { email: EMAIL }, 'b');
          // No later reading removes what the act has left.
          if (act === 'refund') sandbox.setFault({ target: 'stripe', mode: 'status', status: 500 });
        }),
      );

      const answer = await calls[act](paid);
      await sandbox.stripe.webhooksSettled();

      expect(erased?.status).toBe(202);
      expect(answer.status).toBe(200);
      expect(await listNaming(db, EMAIL)).toEqual([]);
    },
  );

  const openers = {
    'a payment link': { path: 'admin/people/payment-link', body: LINK },
    'a visitor’s checkout': { path: 'checkout/session', body: { email: EMAIL } },
  };
  test.for(
    (['a payment link', 'a visitor’s checkout'] as const).flatMap((name) =>
      [true, false].map((hasLead) => ({ name, hasLead })),
    ),
  )(
    '$name is ended at Stripe and stores no email, with a lead: $hasLead',
    async ({ name, hasLead }, { shop, ask, db, sandbox }) => {
      if (hasLead) await storeLead(db, { email: EMAIL, beehiivStatus: 'sent' });
      else await ask('admin/people/erase', { email: EMAIL }, 'earlier');
      const erase = once(async () => {
        await ask('admin/people/erase', { email: EMAIL }, 'b');
      });
      whenDone(shop.deps.stripe.checkout.sessions, 'create', erase);
      const { path, body } = openers[name];

      const answer = await ask(path, body);
      await sandbox.stripe.webhooksSettled();

      expect(answer.status).toBe(name === 'a payment link' ? 404 : 503);
      expect(sandbox.stripe.checkouts.snapshot().map(({ session }) => session.status)).toEqual([
        'expired',
      ]);
      expect(await listNaming(db, EMAIL)).toEqual([]);
      expect(await db('operator_actions').where({ action: 'payment-link' })).toEqual([]);

      const again = await ask(path, body, 'c');
      expect(again.status).toBe(200);
      expect(await db('checkouts').pluck('email')).toEqual([EMAIL]);
    },
  );

  test('a payment link waits for an erasure under way', async ({ shop, ask, db, sandbox }) => {
    await storeLead(db, { email: EMAIL, beehiivStatus: 'sent' });
    const erasing = await openTransaction(db);
    whenDone(
      shop.deps.stripe.checkout.sessions,
      'create',
      once(async () => {
        await erase({ db: erasing, newId: randomUUID }, OPERATOR.username, EMAIL);
      }),
    );

    const answer = ask('admin/people/payment-link', LINK);
    await expect.poll(() => countLockWaits(db)).toBe(1);
    await erasing.commit();

    expect((await answer).status).toBe(404);
    await sandbox.stripe.webhooksSettled();
    expect(await listNaming(db, EMAIL)).toEqual([]);
  });

  test('a checkout that Stripe does not open is not kept', async ({ shop, ask, db }) => {
    await storeLead(db, { email: EMAIL, beehiivStatus: 'sent' });
    const erase = once(async () => {
      await ask('admin/people/erase', { email: EMAIL }, 'b');
    });
    vi.spyOn(shop.deps.stripe.checkout.sessions, 'create').mockImplementation(async () => {
      await erase();
      return lose();
    });

    const answer = await ask('checkout/session', { email: EMAIL });

    expect(answer.status).toBe(503);
    expect(await listNaming(db, EMAIL)).toEqual([]);
  });
});

describe('an answer that was lost', () => {
  const RECORDED = {
    refund: { action: 'refund', detail: { pence: 500, currency: 'gbp' } },
    'refund and cancel': { action: 'refund', detail: { currency: 'gbp' } },
    'cancel now': { action: 'cancel-subscription', detail: { when: 'now' } },
    'cancel at the end': { action: 'cancel-subscription', detail: { when: 'period-end' } },
    resume: { action: 'resume-subscription', detail: {} },
  };

  test.for(
    (Object.keys(calls) as Called[]).flatMap((act) =>
      (['event', 'watcher'] as const).map((by) => ({ act, by })),
    ),
  )('$act is recorded once by the $by', async ({ act, by }, { paid, db, sandbox }) => {
    const { subscriptions } = paid.shop.deps.stripe;
    if (act === 'resume') await subscriptions.update(paid.id, { cancel_at_period_end: true });
    await sandbox.stripe.webhooksSettled();
    if (by === 'watcher') sandbox.setWebhookUrl(null);
    const spy = whenDoneBy(paid, act, lose);

    const broken = await calls[act](paid);
    spy.mockRestore();
    if (by === 'event') await sandbox.stripe.webhooksSettled();
    else {
      const later = new Date(Date.now() + 7.5 * 86_400_000);
      await applyMissedEvents({ ...paid.shop.deps, clock: { now: () => later } });
    }

    expect(broken.status).toBe(503);
    const { action, detail } = RECORDED[act];
    const recorded = () => db('operator_actions').where({ action });
    expect(await recorded()).toMatchObject([{ subject: paid.id, detail }]);
    const repeated = await calls[act](paid);
    expect(repeated.status).toBe(200);
    expect(await recorded()).toHaveLength(1);
    expect(await db('notes').pluck('text')).toEqual(act.startsWith('refund') ? ['By phone'] : []);
    expect(sandbox.stripe.refunds.snapshot()).toHaveLength(act.startsWith('refund') ? 1 : 0);
  });

  test('a payment link is recorded once by the end of its checkout', async ({
    shop,
    ask,
    db,
    sandbox,
  }) => {
    const lead = await storeLead(db, { email: EMAIL });
    const spy = whenDone(shop.deps.stripe.checkout.sessions, 'create', lose);
    const broken = await ask('admin/people/payment-link', LINK);
    spy.mockRestore();

    sandbox.stripe.advance({ days: 2 });
    await sandbox.stripe.webhooksSettled();

    expect(broken.status).toBe(503);
    expect(await db('operator_actions').where({ action: 'payment-link' })).toMatchObject([
      { subject: lead.id, detail: { plan: 'monthly', until: expect.any(String) } },
    ]);
  });

  test('an earlier request that failed is not recorded with a later one', async ({
    paid,
    db,
    sandbox,
  }) => {
    const path = `admin/subscriptions/${paid.id}/cancel`;
    const { subscriptions } = paid.shop.deps.stripe;
    const spy = vi.spyOn(subscriptions, 'cancel').mockImplementation(lose);
    const failed = await paid.post(path, { when: 'now' }, 'a');
    spy.mockRestore();

    const made = await paid.post(path, { when: 'now' }, 'b');
    await sandbox.stripe.webhooksSettled();
    const repeated = await paid.post(path, { when: 'now' }, 'a');

    expect([failed.status, made.status, repeated.status]).toEqual([503, 200, 200]);
    expect(await db('operator_actions').where({ action: 'cancel-subscription' })).toHaveLength(1);
    expect(await db('operator_requests').whereNotNull('recordedAt').pluck('key')).toEqual(['b']);
  });

  test('a customer’s own cancellation is not the operator’s', async ({ paid, db, sandbox }) => {
    const { subscriptions } = paid.shop.deps.stripe;
    const update = subscriptions.update.bind(subscriptions);
    vi.spyOn(subscriptions, 'update').mockImplementation(lose);
    await calls['cancel at the end'](paid);

    await update(paid.id, { cancel_at_period_end: true });
    await sandbox.stripe.webhooksSettled();

    expect(await db('operator_actions').where({ action: 'cancel-subscription' })).toEqual([]);
  });
});

describe('a repeat', () => {
  test('a refund is made once after Stripe has recorded a failure for its key', async ({
    paid,
    db,
    sandbox,
  }) => {
    const { refunds } = paid.shop.deps.stripe;
    const create = refunds.create.bind(refunds);
    const spy = vi.spyOn(refunds, 'create').mockImplementation(async (...given) => {
      sandbox.setFault({ target: 'stripe', mode: 'status', status: 500 });
      return create(...given).finally(() => sandbox.setFault({ target: 'stripe', mode: 'ok' }));
    });
    const failed = await calls.refund(paid);
    spy.mockRestore();

    const made = await calls.refund(paid);
    const repeated = await calls.refund(paid);

    expect([failed.status, made.status]).toEqual([503, 200]);
    expect(repeated.json).toEqual(made.json);
    expect(sandbox.stripe.refunds.snapshot()).toHaveLength(1);
    expect(await db('operator_actions').where({ action: 'refund' })).toHaveLength(1);
    expect(await db('notes')).toHaveLength(1);
  });

  test('a refund that Stripe made before it failed is found, not made again', async ({
    paid,
    db,
    sandbox,
  }) => {
    const { refunds } = paid.shop.deps.stripe;
    const list = refunds.list.bind(refunds);
    const create = refunds.create.bind(refunds);
    const spy = vi.spyOn(refunds, 'create').mockImplementation(async (params) => {
      await create(params);
      const headers = { 'idempotent-replayed': 'true' };
      throw new Stripe.errors.StripeAPIError({ type: 'api_error', statusCode: 500, headers });
    });
    // Stripe's list does not show the refund at the first look.
    vi.spyOn(refunds, 'list').mockImplementationOnce((params) =>
      list({ ...params, limit: 1, payment_intent: 'pi_none' }),
    );

    const made = await calls.refund(paid);

    expect(made.status).toBe(200);
    expect(spy).toHaveBeenCalledOnce();
    expect(sandbox.stripe.refunds.snapshot()).toHaveLength(1);
    expect(await db('operator_actions').where({ action: 'refund' })).toHaveLength(1);
  });

  test('the second of two refunds at once gets the result of the first', async ({
    paid,
    newApi,
    headers,
    db,
    sandbox,
  }) => {
    const other = await newApi({ PUBLIC_URL: 'http://site.example' }, { stripeUrl: sandbox.url });
    // Longer than the SDK's own repeat waits.
    sandbox.setFault({ target: 'stripe', mode: 'slow', delayMs: 1_500 });
    const login = await other.call('POST', '/api/admin/login', { body: OPERATOR });
    const otherHeaders = { Cookie: login.headers.get('set-cookie')!.split(';')[0]! };
    const ask = (api: Api, session: Record<string, string>) =>
      api.call('POST', `/api/admin/subscriptions/${paid.id}/refund`, {
        headers: { ...session, 'Idempotency-Key': 'a' },
        body: { amountPence: 500, note: 'By phone' },
      });

    const [first, second] = await Promise.all([ask(paid.shop, headers), ask(other, otherHeaders)]);

    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.json).toEqual(first.json);
    expect(sandbox.stripe.refunds.snapshot()).toHaveLength(1);
    expect(await db('operator_actions').where({ action: 'refund' })).toHaveLength(1);
    expect(await db('notes')).toHaveLength(1);
  });
});
