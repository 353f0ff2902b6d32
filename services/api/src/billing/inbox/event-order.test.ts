import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import { createLogger } from '@site/platform/process/logger';
import fc from 'fast-check';
import { describe, expect, inject } from 'vitest';
import { searchPeople } from '../../admin/people/people-search.service.ts';
import { pay, test } from '../../testing/shop.fixture.ts';
import type { Shop } from '../../testing/shop.fixture.ts';

const runs = inject('modelRuns');
const EMAIL = 'priya@acquirers.example';

async function deleteRows(db: Database): Promise<void> {
  // Truncating would make new files for thirty tables and indexes.
  for (const table of ['stripe_events', 'checkouts', 'people', 'subscriptions', 'leads'])
    await db(table).delete();
}

describe.each(['before', 'after'])('a renewal that is announced %s its invoice', (order) => {
  test('a first payment makes the person paying at once', async ({ shop, sandbox, db }) => {
    sandbox.stripe.setWebhookDisorder({ updatedFirst: order === 'before' });
    await pay(shop, sandbox, { email: EMAIL });
    sandbox.stripe.advance({ days: 8 });
    // Read now, the finalised invoice would already be paid, because Stripe charges it an hour
    // later.
    const events = sandbox.stripe.events
      .snapshot()
      .filter(({ type }) => type !== 'invoice.finalized');
    const types = events.map(({ type }) => type);
    const isUpdatedFirst =
      types.indexOf('customer.subscription.updated') < types.lastIndexOf('invoice.paid');

    for (const event of events) await shop.deliver(event);

    expect(isUpdatedFirst).toBe(order === 'before');
    expect(await search(shop, db)).toMatchObject({
      counts: { trial: 0, paying: 1 },
      people: [{ state: 'paying' }],
    });
  });
});

/** Reads everybody as the console does. */
const search = (shop: Shop, db: Database) =>
  searchPeople(
    { db, stripe: shop.stripe, log: createLogger({ service: 'api', level: 'silent' }) },
    {},
  );

describe('later events', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('wait' as const), days: fc.integer({ min: 1, max: 12 }) }),
    fc.record({ kind: fc.constant('deliver' as const), which: fc.nat(1_000) }),
    fc.constant({ kind: 'cancel' as const }),
  );

  test(
    'events late, twice and in any order leave the subscription as at Stripe',
    { timeout: 120_000 + runs * 2_000 },
    async ({ shop, sandbox, db }) => {
      const life = fc.asyncProperty(
        fc.array(step, { maxLength: 14 }),
        fc.constantFrom('4242424242424242', '4000000000000341'),
        async (steps, cardNumber) => {
          await deleteRows(db);
          sandbox.reset();
          const { id } = (await pay(shop, sandbox, { email: EMAIL, cardNumber })).subscription;
          const events = () => sandbox.stripe.events.snapshot();

          for (const each of steps) {
            if (each.kind === 'wait') sandbox.stripe.advance({ days: each.days });
            else if (each.kind === 'deliver')
              await shop.deliver(events()[each.which % events().length]);
            else if (sandbox.stripe.subscriptions.find(id)?.status !== 'canceled') {
              await shop.stripe.subscriptions.update(id, { cancel_at_period_end: true });
            }
          }
          for (const event of events().toReversed()) await shop.deliver(event);

          const there = sandbox.stripe.subscriptions.find(id)!;
          const [row] = await db('subscriptions');
          const isLive = ['trialing', 'active', 'past_due'].includes(there.status);
          expect(row).toMatchObject({
            status: there.status,
            isLive,
            latestInvoiceId: there.latest_invoice,
          });
          expect(row.cancelAt?.getTime() ?? null).toBe(
            there.cancel_at === null ? null : there.cancel_at * 1_000,
          );
          const tiers = await db('people').whereNotNull('tier').pluck('tier');
          expect(tiers).toEqual(isLive ? ['premium'] : tiers.length > 0 ? ['free'] : []);
          const people = await db('people').select('emailNormalised', 'state');
          await query(db, 'select judge_person(email_normalised) from people');
          expect(await db('people').select('emailNormalised', 'state')).toEqual(people);
          expect(await db('stripe_invoices').sum({ pence: 'paidPence' }).first()).toEqual({
            pence: sandbox.stripe.invoices
              .snapshot()
              .reduce((pence, invoice) => pence + invoice.amount_paid, 0),
          });
          expect(await db('stripe_events').where({ outcome: 'parked' })).toEqual([]);
          expect(await db('leads')).toHaveLength(1);
        },
      );
      await fc.assert(life, { numRuns: runs });
    },
  );
});
