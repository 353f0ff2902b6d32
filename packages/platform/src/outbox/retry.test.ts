import { storeLead } from '@site/local-infra/testing/builders';
import { test } from '@site/local-infra/testing/fixtures';
import { describe, expect } from 'vitest';
import { isLeadDue } from './claim.ts';
import { retryLeads } from './retry.ts';

const tomorrow = () => new Date(Date.now() + 86_400_000);

describe('retryLeads', () => {
  test('begins a new round for a failed lead', async ({ db }) => {
    const lead = await storeLead(db, {
      beehiivStatus: 'failed',
      nextAttemptAt: null,
      syncAttempts: 9,
      quarantineReason: 'the hidden field was filled',
    });

    expect(await retryLeads(db, [lead.id])).toEqual([lead.id]);

    expect(await db('leads').first()).toMatchObject({
      beehiivStatus: 'pending',
      syncRound: 2,
      syncAttempts: 0,
      quarantineReason: null,
    });
  });

  test('hastens a waiting lead in its own round', async ({ db }) => {
    const lead = await storeLead(db, { nextAttemptAt: tomorrow() });

    expect(await retryLeads(db, [lead.id])).toEqual([lead.id]);

    expect(await isLeadDue(db, lead.id)).toBe(true);
    expect(await db('leads').first()).toMatchObject({ syncRound: 1 });
  });

  test('leaves sent leads alone', async ({ db }) => {
    const lead = await storeLead(db, { beehiivStatus: 'sent', nextAttemptAt: null });

    expect(await retryLeads(db, [lead.id])).toEqual([]);
  });
});
