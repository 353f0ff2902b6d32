import { storeLead } from '@site/testing/builders';
import { test } from '@site/testing/fixtures';
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { AttemptOutcome } from './attempts.ts';
import { claimLead } from './claim.ts';
import { readSyncHealth } from './health.ts';
import { recordOutcome } from './outcome.ts';

const refused = (message: string): AttemptOutcome => ({
  class: 'permanent',
  httpStatus: 422,
  message,
  response: '422',
  requestId: null,
  tookMs: 5,
  isOutcomeKnown: true,
});

test('a pause says why without saying whom: its reason leaves the machine', async ({ db }) => {
  await db('sync_health').update({ permanentStreak: 19, permanentSince: new Date() });
  const lead = await storeLead(db, { email: 'ada@reader.example' });
  const run = await claimLead(db, {
    leadId: lead.id,
    attemptId: randomUUID(),
    worker: 'test',
    limiterGeneration: null,
  });
  if (!run) throw new Error('not claimed');

  await recordOutcome(db, run, refused('Beehiiv answered 422: ada@reader.example (Ada%40Reader.example) is blocked'), {
    move: 'failed',
  });

  const { pauseReason } = await readSyncHealth(db);
  expect(pauseReason).toMatch(/^20 refusals in a row\. The last: Beehiiv answered 422: .* is blocked$/);
  expect(pauseReason?.toLowerCase()).not.toContain('reader.example');
});
