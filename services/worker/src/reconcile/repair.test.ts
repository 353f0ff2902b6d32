import { storeLead } from '@site/testing/builders';
import { test } from '@site/testing/fixtures';
import { wantTier } from '@site/platform/outbox/tiers';
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { connectTestNewsletter } from '../testing/worker.fixture.ts';
import { repairLead } from './repair.ts';

const DELIVERY = {
  sendWelcomeEmail: false,
  doubleOptIn: 'not_set' as const,
  automations: { pre_buy: [], pre_sample: [] },
};

test('somebody who pays and is added again need not confirm their address, whatever their consent', async ({
  db,
  sandbox,
}) => {
  const deps = { ...connectTestNewsletter({ sandbox }, db), db, newId: randomUUID, delivery: DELIVERY, worker: 'test' };
  await wantTier(db, 'paying@reader.example', 'premium');
  const names = ['paying@reader.example', 'reading@reader.example'];
  for (const email of names) {
    const lead = await storeLead(db, { email, beehiivStatus: 'sent', nextAttemptAt: null, consentMarketing: false });
    await repairLead(deps, lead.id, new AbortController().signal);
  }

  expect(names.map((email) => sandbox.beehiiv.find(email)?.status)).toEqual(['validating', 'pending']);
});
