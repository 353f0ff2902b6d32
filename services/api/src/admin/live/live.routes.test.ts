import { openTransaction, storeLead } from '@site/testing/builders';
import type { LiveEvent } from '@site/schema/calls/sync';
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { parkEvent, recordStripeEvent } from '../../billing/storing/event.repository.ts';
import { test } from '../../testing/api.fixture.ts';
import type { Api } from '../../testing/api.fixture.ts';
import { storeSubscription } from '@site/testing/money-builders';

/** Follows the events of an API as a browser does. */
async function follow(api: Api, headers: Record<string, string>) {
  const leaving = new AbortController();
  const answer = await fetch(`${api.url}/api/admin/events`, { headers, signal: leaving.signal });
  const told: LiveEvent[] = [];
  const isOver = (async () => {
    let text = '';
    for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const [, data] = /^event: change\ndata: (.*)$/m.exec(block) ?? [];
        if (data !== undefined) told.push(JSON.parse(data) as LiveEvent);
      }
    }
  })().catch(() => undefined);
  return { told, isOver, leave: () => leaving.abort() };
}

const LEADS = { changed: ['leads'] };
/** Returns the number of changes of leads. */
const timesOf = (told: LiveEvent[]) =>
  told.filter(({ changed }) => changed.includes('leads')).length;

test('the live stream sends each change of leads, whichever program made it', async ({
  api,
  db,
}) => {
  const stream = await follow(api, await api.logIn());
  const lead = await storeLead(db);
  await expect.poll(() => stream.told.at(-1)).toMatchObject(LEADS);

  await db('leads').where({ id: lead.id }).update({ beehiivStatus: 'failed', nextAttemptAt: null });
  await expect.poll(() => timesOf(stream.told)).toBe(2);

  await db('leads').where({ id: lead.id }).update({ budgetSpent: 1 });
  await db('leads').where({ id: randomUUID() }).delete();
  expect(await db('live_changes').count()).toEqual([{ count: 2 }]);

  await db('leads').where({ id: lead.id }).delete();
  await expect.poll(() => timesOf(stream.told)).toBe(3);
  stream.leave();
});

test('the live stream sends a new listener the latest changes', async ({ api, db }) => {
  const headers = await api.logIn();
  await storeLead(db);
  await db('live_changes').update({ at: new Date(Date.now() - 60_000) });
  const late = await follow(api, headers);
  await storeLead(db);
  await expect.poll(() => timesOf(late.told)).toBe(1);

  const stream = await follow(api, headers);

  await expect.poll(() => stream.told[0]).toMatchObject(LEADS);
  expect(timesOf(late.told)).toBe(1);
  for (const { leave } of [late, stream]) leave();
});

test('the live stream misses no change that is committed late', async ({ api, db }) => {
  const stream = await follow(api, await api.logIn());
  const late = await openTransaction(db);
  await storeLead(late);
  await storeLead(db);
  await expect.poll(() => timesOf(stream.told)).toBe(1);

  await late.commit();

  await expect.poll(() => timesOf(stream.told)).toBe(2);
  stream.leave();
});

test('the live stream reports a change of money once', async ({ api, db }) => {
  const headers = await api.logIn();
  const stream = await follow(api, headers);
  const told = () => stream.told.filter(({ changed }) => changed.includes('money')).length;
  const event = { id: 'evt_1', type: 'invoice.paid' };
  const steps = [
    () => parkEvent(db, event, null, 'no'),
    () => recordStripeEvent(db, event, 'applied'),
    () => storeSubscription(db),
    () => db('subscriptions').update({ status: 'past_due' }),
    () => db('subscriptions').update({ cancelAt: new Date() }),
    () => db('subscriptions').delete(),
  ];
  for (const [index, step] of steps.entries()) {
    await step();
    await expect.poll(told).toBe(index + 1);
  }

  await recordStripeEvent(db, { ...event, id: 'evt_2' }, 'applied');
  await storeLead(db);

  await expect.poll(() => timesOf(stream.told)).toBe(1);
  expect(told()).toBe(steps.length);
  stream.leave();
});

test('the live stream reports a pause, and ends with the session', async ({
  api,
  operator,
  db,
}) => {
  const { headers } = operator;
  const stream = await follow(api, headers);
  await db('sync_health').update({
    pausedSince: new Date(),
    pauseReason: 'r',
    pauseSetting: 's',
    nextProbeAt: new Date(),
  });
  await expect.poll(() => stream.told.at(-1)).toEqual({ changed: ['sync'] });

  await operator.post('logout');

  await stream.isOver;
  expect((await operator.get('events')).status).toBe(401);
});
