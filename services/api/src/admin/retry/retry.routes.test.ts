import { storeLead } from '@site/testing/builders';
import type { LeadRow } from '@site/platform/database/tables';
import { expect } from 'vitest';
import { test } from '../../testing/api.fixture.ts';

const FAILED: Partial<LeadRow> = {
  beehiivStatus: 'failed',
  nextAttemptAt: null,
  beehiivResponse: '400 no such domain',
};

test('sending chosen quarantined leads together is recorded as that', async ({ operator, db }) => {
  const quarantined = await storeLead(db, {
    ...FAILED,
    quarantineReason: 'the hidden field was filled',
  });
  const rejected = await storeLead(db, FAILED);

  const run = await operator.post('leads/retry', {
    filter: { ids: [quarantined.id, rejected.id], status: 'quarantined' },
    withQuarantined: true,
  });

  expect(run.json).toMatchObject({ total: 1, filter: { selected: 2, status: 'quarantined' } });
  const { json } = await operator.get('audit?action=bulk-retry');
  expect(json.actions).toMatchObject([{ detail: { total: 1, fromQuarantine: true } }]);
  const timeline = await operator.get(`leads/${quarantined.id}`);
  expect(timeline.json.history).toMatchObject([
    { kind: 'form' },
    { kind: 'action', detail: 'send-quarantined' },
  ]);
});
