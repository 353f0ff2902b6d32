import { storeLead } from '@site/testing/builders';
import { test } from '@site/testing/fixtures';
import { describe, expect } from 'vitest';
import { deleteOldData } from './retention.ts';

const DAY_MS = 86_400_000;
const network = { ipAddress: '192.0.2.1', userAgent: 'Mozilla/5.0' };

describe('deleteOldData', () => {
  test('clears old IP addresses and user agents, and keeps the rest of the lead', async ({ db }) => {
    const old = await storeLead(db, { ...network, submittedAt: new Date(Date.now() - 91 * DAY_MS) });
    const young = await storeLead(db, { ...network, submittedAt: new Date(Date.now() - 89 * DAY_MS) });

    await deleteOldData({ db, retainNetworkDataDays: 90 }, new AbortController().signal);

    expect(await db('leads').where({ id: old.id }).first()).toMatchObject({
      ipAddress: null,
      userAgent: null,
      fullName: 'Priya Raman',
    });
    expect(await db('leads').where({ id: young.id }).first()).toMatchObject(network);
  });

  test('deletes repeat keys that have ended, and no others', async ({ db }) => {
    const lead = await storeLead(db);
    const key = { leadId: lead.id, emailNormalised: lead.emailNormalised };
    await db('lead_repeats').insert([
      { ...key, scope: 'form:pre_buy', until: new Date(Date.now() - 1_000) },
      { ...key, scope: 'key:a', until: new Date(Date.now() + DAY_MS) },
    ]);

    await deleteOldData({ db, retainNetworkDataDays: 90 }, new AbortController().signal);

    expect(await db('lead_repeats').select('scope')).toEqual([{ scope: 'key:a' }]);
  });
});
