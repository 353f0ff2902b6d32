import { advanceSyncClock, storeLead } from '@site/testing/builders';
import { createLogger } from '@site/platform/logger';
import { test as base } from '@site/testing/fixtures';
import { retryLeads } from '@site/platform/outbox/retry';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect } from 'vitest';
import { checkAlerts } from './alerts.ts';
import type { AlertMessage } from './alerts.ts';

const log = createLogger({ service: 'test', level: 'silent' });

/** A webhook that stores its messages, and fails while `isDown`. */
const test = base.extend('hook', async ({ onTestFinished }) => {
  const hook = { url: '', isDown: false, told: [] as AlertMessage[] };
  const server = createServer((req, res) => {
    let body = '';
    req.on('data', (chunk: Buffer) => (body += chunk.toString()));
    req.on('end', () => {
      if (!hook.isDown) hook.told.push(JSON.parse(body) as AlertMessage);
      res.writeHead(hook.isDown ? 500 : 200).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  hook.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  return hook;
});

const pause = {
  pausedSince: new Date(),
  pauseReason: 'Beehiiv answered 401',
  pauseSetting: 'BEEHIIV_API_KEY',
  nextProbeAt: new Date(),
};
const noPause = { pausedSince: null, pauseReason: null, pauseSetting: null, nextProbeAt: null };

describe('checkAlerts', () => {
  const look = (db: Parameters<typeof checkAlerts>[0]['db'], hook: { url: string }) =>
    checkAlerts({ db, log, webhookUrl: hook.url, maxPendingMs: 15 * 60_000 });

  test('reports a pause once, with its setting, and its end once', async ({ db, hook }) => {
    await look(db, hook);
    await db('sync_health').update(pause);
    await look(db, hook);
    await look(db, hook);
    await db('sync_health').update(noPause);
    await look(db, hook);
    await look(db, hook);

    expect(hook.told).toMatchObject([
      { event: 'paused', text: expect.stringContaining('BEEHIIV_API_KEY') },
      { event: 'recovered', of: 'paused' },
    ]);
  });

  test('repeats a message that the webhook did not accept', async ({ db, hook }) => {
    await db('sync_health').update(pause);
    hook.isDown = true;
    await look(db, hook);
    hook.isDown = false;
    await look(db, hook);

    expect(hook.told.map((message) => message.event)).toEqual(['paused']);
  });

  test('does not report an old lead that has just been retried', async ({ db, hook }) => {
    const lead = await storeLead(db, {
      submittedAt: new Date(Date.now() - 3 * 86_400_000),
      beehiivStatus: 'failed',
      nextAttemptAt: null,
    });
    await retryLeads(db, [lead.id]);
    await look(db, hook);
    const atFirst = [...hook.told];
    await advanceSyncClock(db, 16 * 60);
    await look(db, hook);

    expect(atFirst).toEqual([]);
    expect(hook.told).toMatchObject([{ event: 'pending-too-long', text: expect.stringContaining('for 16 minutes') }]);
  });

  test('reports an outage, and a lead pending too long if nothing else explains it', async ({ db, hook }) => {
    await storeLead(db);
    await advanceSyncClock(db, 16 * 60);
    await look(db, hook);
    await db('sync_health').update({ transientStreak: 5, transientSince: new Date() });
    await look(db, hook);

    expect(hook.told.map(({ event, of }) => [event, of])).toEqual([
      ['pending-too-long', undefined],
      ['outage', undefined],
      ['recovered', 'pending-too-long'],
    ]);
    expect(hook.told[1]?.text).toContain('1 waiting, nothing lost');
  });
});
