import { advanceSyncClock, storeLead, storeSubscriber, wantTier } from '@site/testing/builders';
import { test } from '@site/sandbox/testing/sandbox.fixture';
import type { Database } from '@site/platform/database/connect';
import type { Sandbox } from '@site/sandbox/sandbox';
import { describe, expect } from 'vitest';
import { connectTestNewsletter } from '../testing/worker.fixture.ts';
import { repairLead, sendLaterConsents } from './repair.ts';
import { buildSyncDeps } from '../testing/sync-deps.ts';

const never = new AbortController().signal;

const depsOf = (db: Database, sandbox: Sandbox) =>
  buildSyncDeps(db, connectTestNewsletter({ sandbox }, db));

test('a payer who is added again need not confirm, with or without consent', async ({
  db,
  sandbox,
}) => {
  const deps = depsOf(db, sandbox);
  await wantTier(db, 'paying@reader.example', 'premium');
  const names = ['paying@reader.example', 'reading@reader.example'];
  for (const email of names) {
    const lead = await storeLead(db, {
      email,
      beehiivStatus: 'sent',
      nextAttemptAt: null,
      consentMarketing: false,
    });
    await repairLead(deps, lead.id, never);
  }

  expect(names.map((email) => sandbox.beehiiv.find(email)?.status)).toEqual([
    'validating',
    'pending',
  ]);
});

describe('a consent that a repeat gave after the lead was sent', () => {
  const consented = {
    beehiivStatus: 'sent',
    nextAttemptAt: null,
    consentDueAt: new Date(0),
  } as const;

  test('a repeat’s consent reaches Beehiiv once, after the lead was sent', async ({
    db,
    sandbox,
  }) => {
    const deps = depsOf(db, sandbox);
    const lead = await storeLead(db, { ...consented, email: 'a+exists@reader.example' });

    await sendLaterConsents(deps, never);
    await sendLaterConsents(deps, never);

    const fields = sandbox.beehiiv.find(lead.email)?.custom_fields ?? [];
    expect(fields).toContainEqual(
      expect.objectContaining({ name: 'consent_text_version', value: '2025-12' }),
    );
    expect(await db('lead_sync_attempts')).toMatchObject([{ kind: 'repair', class: 'accepted' }]);
    expect(await db('leads').first()).toMatchObject({ beehiivStatus: 'sent', consentDueAt: null });
  });

  test('a repeat’s consent resubscribes somebody who left before, to be confirmed', async ({
    db,
    sandbox,
  }) => {
    const lead = await storeLead(db, { ...consented, email: 'a+inactive@reader.example' });
    await storeSubscriber(db, lead, { status: 'inactive' });

    await sendLaterConsents(depsOf(db, sandbox), never);

    expect(sandbox.beehiiv.find(lead.email)?.status).toBe('pending');
    expect(await db('leads').first()).toMatchObject({ subscriberStatus: 'pending' });
  });

  test('a repeat’s consent waits for the end of a pause without taking a slot', async ({
    db,
    sandbox,
  }) => {
    const deps = depsOf(db, sandbox);
    await storeLead(db, consented);
    const now = new Date();
    const setting = 'BEEHIIV_API_KEY';
    await db('sync_health').update({
      pausedSince: now,
      pauseReason: '401',
      pauseSetting: setting,
      nextProbeAt: now,
    });
    let slots = 0;
    const rateLimiter = { waitForSlot: () => Promise.resolve((slots += 1) > 0) };

    await sendLaterConsents({ ...deps, rateLimiter }, never);

    expect(slots).toBe(0);
  });

  test('a repeat’s consent is sent again five minutes after a failure', async ({ db, sandbox }) => {
    const deps = depsOf(db, sandbox);
    await storeLead(db, consented);
    sandbox.setFault({ target: 'beehiiv', mode: 'status', status: 503, times: 1 });
    const requests = () => sandbox.beehiiv.requests().length;

    await sendLaterConsents(deps, never);
    const atOnce = requests();
    await sendLaterConsents(deps, never);
    const soon = requests();
    await advanceSyncClock(db, 301);
    await sendLaterConsents(deps, never);

    expect([atOnce, soon]).toEqual([1, 1]);
    expect(requests()).toBeGreaterThan(1);
    expect(await db('leads').first()).toMatchObject({ consentDueAt: null });
  });
});
