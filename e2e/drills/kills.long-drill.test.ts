import { expect } from 'vitest';

import { test } from './drill.fixture.ts';
import { within } from './within.ts';

test('killing an API under load loses and duplicates no lead', async ({ drill }) => {
  const [api] = await Promise.all([drill.startApi(), drill.startApi(), drill.startWorker()]);
  const visits = drill.ledger.visit(30);
  for (let killed = 0; killed < 2; killed++) {
    const enough = drill.ledger.accepted.length + 20;
    await within(10_000, 'visitors come', () => drill.ledger.accepted.length > enough);
    await api.kill();
    const more = drill.ledger.accepted.length + 15;
    await within(10_000, 'the other takes them', () => drill.ledger.accepted.length > more);
    await api.start();
  }
  await visits.end();

  expect(drill.ledger.unanswered).toBeGreaterThan(0);
  await drill.settle();
  expect(await drill.audit()).toEqual([]);
});
