import { storeLead } from '@site/testing/builders';
import { test } from '@site/testing/fixtures';
import { expect } from 'vitest';
import { readBacklog } from './pending.ts';
import { retryLeads } from './retry.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

test('a retried lead waits since its retry, however old it is', async ({ db }) => {
  const old = await storeLead(db, {
    submittedAt: daysAgo(3),
    beehiivStatus: 'failed',
    nextAttemptAt: null,
  });
  const fresh = await storeLead(db, { submittedAt: new Date(Date.now() - 60_000) });
  await retryLeads(db, [old.id]);

  expect(await readBacklog(db)).toEqual({ pending: 2, oldestPendingAt: fresh.submittedAt });
});

test('the wait of a bulk retry’s lead does not count, but the lead does', async ({ db }) => {
  await storeLead(db, { submittedAt: daysAgo(1), urgency: 'bulk' });

  expect(await readBacklog(db)).toEqual({ pending: 1, oldestPendingAt: null });
});

test('a lead never attempted waits since its submission', async ({ db }) => {
  const lead = await storeLead(db, { submittedAt: daysAgo(1) });

  expect(await readBacklog(db)).toEqual({ pending: 1, oldestPendingAt: lead.submittedAt });
});
