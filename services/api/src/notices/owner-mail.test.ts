// @module-tag long
import { task } from '@site/platform/database/task';
import type { Database } from '@site/platform/database/connect';
import { ALERT_KINDS, CONDITIONS, OWN_KINDS } from '@site/schema/conditions';
import type { ConditionKind } from '@site/schema/conditions';
import { startHook } from '@site/testing/alert-hook';
import { advanceSyncClock, storeAttempt, storeLead } from '@site/testing/builders';
import { expect } from 'vitest';
import { NOW, test } from '../testing/mail.fixture.ts';

const PAUSE = {
  pausedSince: NOW,
  pauseReason: 'Beehiiv answered 401',
  pauseSetting: 'BEEHIIV_API_KEY',
  nextProbeAt: NOW,
};
const isSeen = (db: Database) =>
  task(db, 'worker').update({ seenAt: db.raw('sync_now()'), since: db.raw('sync_now()') });
const failLead = async (db: Database) => {
  const failed = { beehiivStatus: 'failed', nextAttemptAt: null } as const;
  const { id: leadId } = await storeLead(db, { ...failed, beehiivReason: 'email-invalid' });
  await db('leads')
    .where({ id: leadId })
    .update({ failedAt: db.raw('sync_now()') });
  await storeAttempt(db, { leadId, class: 'permanent' });
};

/** What raises each alert that Postgres knows. */
const CAUSES: Partial<Record<ConditionKind, (db: Database) => Promise<unknown>>> = {
  'no-worker': (db) => advanceSyncClock(db, 100),
  paused: (db) => db('sync_health').update(PAUSE),
  outage: (db) => db('sync_health').update({ failureStreak: 5, transientSince: NOW }),
  async stalled(db) {
    await storeLead(db);
    await advanceSyncClock(db, 70);
    await task(db, 'worker').update({ seenAt: db.raw('sync_now()'), since: NOW });
  },
  async 'pending-too-long'(db) {
    await storeLead(db);
    await advanceSyncClock(db, 16 * 60);
    await isSeen(db);
  },
  'leads-failed': failLead,
  'unusual-traffic': (db) =>
    db('logins').insert(
      Array.from({ length: 21 }, () => ({ operator: 'j.holt', outcome: 'failed' })),
    ),
  'nightly-missed': (db) =>
    task(db, 'comparison').update({ since: db.raw(`sync_now() - interval '37 hours'`) }),
  'backup-failing': (db) =>
    task(db, 'backup').update({ seenAt: db.raw('sync_now()'), coversUntil: new Date(0) }),
  async 'mail-failing'(db) {
    const failed = { attempts: 1, dueAt: db.raw(`sync_now() + interval '1 day'`) };
    const mail = { channel: 'mail', what: 'security', text: 'x', since: NOW } as const;
    await db('notices').insert({ ...mail, ...failed, body: '{}' });
    await advanceSyncClock(db, 3_700);
    await isSeen(db);
  },
  'stripe-settings': (db) => task(db, 'stripe-terms').update({ since: NOW, failure: 'refused' }),
  'needs-attention': (db) =>
    db('stripe_events').insert({
      id: 'evt_1',
      type: 'invoice.paid',
      outcome: 'parked',
      failure: 'no',
    }),
};

test.for(ALERT_KINDS.filter((kind) => !OWN_KINDS.includes(kind)))(
  'the alert %s is sent to the webhook once, and to the owner as its entry says',
  async (kind, { db, mail, server, onTestFinished }) => {
    const hook = await startHook();
    onTestFinished(() => hook.close());
    await isSeen(db);
    await CAUSES[kind]!(db);

    await mail.tell(hook.url);
    await mail.tell(hook.url);

    expect(hook.told.map(({ event }) => event)).toEqual([kind]);
    const [title = ''] = hook.told[0]!.text.replace(/\.$/, '').split('. ');
    const mailed = server.mails.filter(({ plain }) => plain.includes(title));
    expect(mailed).toHaveLength(CONDITIONS[kind].told === 'engineer' ? 0 : 1);
  },
);

test('leads that failed after a mail are in the next mail, without those before', async ({
  db,
  mail,
  server,
}) => {
  await failLead(db);
  await failLead(db);
  await mail.turn();
  await failLead(db);
  await mail.turn();
  expect(server.mails).toHaveLength(1);

  await advanceSyncClock(db, 3_601);
  await mail.turn();
  await advanceSyncClock(db, 7_202);
  await mail.turn();

  expect(server.mails.map(({ plain }) => /(\d+) could not be sent/.exec(plain)?.[1])).toEqual([
    '2',
    '1',
  ]);
});
