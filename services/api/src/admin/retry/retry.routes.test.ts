import { storeLead } from '@site/testing/builders';
import type { LeadRow } from '@site/platform/database/tables';
import { expect } from 'vitest';
import { test } from '../../testing/api.fixture.ts';

const FAILED: Partial<LeadRow> = {
  beehiivStatus: 'failed',
  nextAttemptAt: null,
  beehiivResponse: '400 no such domain',
};

test('sending chosen quarantined leads together is recorded as that', async ({ api, db }) => {
  const headers = await api.logIn();
  const quarantined = await storeLead(db, {
    ...FAILED,
    quarantineReason: 'the hidden field was filled',
  });
  const rejected = await storeLead(db, FAILED);

  const run = await api.call('POST', '/api/admin/leads/retry', {
    headers,
    body: {
      filter: { ids: [quarantined.id, rejected.id], status: 'quarantined' },
      withQuarantined: true,
    },
  });

  expect(run.json).toMatchObject({ total: 1, filter: { selected: 2, status: 'quarantined' } });
  const { json } = await api.call('GET', '/api/admin/audit?action=bulk-retry', { headers });
  expect(json.actions).toMatchObject([{ detail: { total: 1, fromQuarantine: true } }]);
  const timeline = await api.call('GET', `/api/admin/leads/${quarantined.id}`, { headers });
  expect(timeline.json.history).toMatchObject([
    { kind: 'form' },
    { kind: 'action', detail: 'send-quarantined' },
  ]);
});
