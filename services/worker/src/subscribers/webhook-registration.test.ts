import type { Database } from '@site/platform/database/connect';
import { task } from '@site/platform/database/task';
import { createLogger } from '@site/platform/process/logger';
import { BEEHIIV_EVENT_TYPES } from '@site/schema/beehiiv-events';
import type { Sandbox } from '@site/sandbox/sandbox';
import { advanceSyncClock } from '@site/testing/builders';
import { randomUUID } from 'node:crypto';
import { expect, vi } from 'vitest';
import { connectTestNewsletter, test } from '../testing/worker.fixture.ts';
import { createRegistration } from './webhook-registration.ts';

const never = new AbortController().signal;
const PREFIX = 'https://site.example/api/beehiiv/events/';
const DAY = 86_400;

/** Creates the task of a process that has just started. */
const startWith = (db: Database, sandbox: Sandbox, secret: string | null) => {
  const run = createRegistration({
    ...connectTestNewsletter({ sandbox }, db),
    db,
    newId: randomUUID,
    log: createLogger({ service: 'worker', level: 'debug' }),
    eventsUrl: secret && `${PREFIX}${secret}`,
  });
  return () => run(never);
};
const callsOf = (sandbox: Sandbox) =>
  sandbox.beehiiv.requests().map(({ method, path }) => `${method} ${path.split('/').at(4)}`);
const readTask = (db: Database) => task(db, 'beehiiv-events').first();

/** Calls Beehiiv's API as somebody else who has the key. */
async function call(sandbox: Sandbox, method: string, path: string, body?: object) {
  const { beehiivApiKey: key, beehiivPublicationId: publication } = sandbox.credentials;
  const answer = await fetch(`${sandbox.url}/v2/publications/${publication}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return ((await answer.json()) as { data: any }).data;
}
const listUrls = async (sandbox: Sandbox): Promise<string[]> =>
  (await call(sandbox, 'GET', '/webhooks')).map(({ url }: { url: string }) => url);

test('a worker registers the webhook at its start, then once a day', async ({ db, sandbox }) => {
  const run = startWith(db, sandbox, 'one');

  await run();
  await run();

  expect(await call(sandbox, 'GET', '/webhooks')).toMatchObject([
    { url: `${PREFIX}one`, event_types: BEEHIIV_EVENT_TYPES },
  ]);
  expect(await readTask(db)).toMatchObject({
    leasedBy: null,
    failure: null,
    coversUntil: expect.any(Date),
  });
  await advanceSyncClock(db, DAY + 1);
  await run();
  await startWith(db, sandbox, 'one')();
  expect(callsOf(sandbox).filter((each) => each === 'POST webhooks')).toHaveLength(1);
  expect(callsOf(sandbox).filter((each) => each === 'GET webhooks')).toHaveLength(4);
});

test('a new secret is a new webhook, and others’ stay', async ({ db, sandbox }) => {
  const others = { url: 'https://else.example/', event_types: ['subscription.created'] };
  await call(sandbox, 'POST', '/webhooks', others);
  await startWith(db, sandbox, 'one')();

  await startWith(db, sandbox, 'two')();

  expect(await listUrls(sandbox)).toEqual(['https://else.example/', `${PREFIX}two`]);
  const order = callsOf(sandbox).filter((each) => /POST|DELETE/.test(each));
  expect(order).toEqual(['POST webhooks', 'POST webhooks', 'POST webhooks', 'DELETE webhooks']);
});

test('a webhook that lacks event types gets them', async ({ db, sandbox }) => {
  const url = `${PREFIX}one`;
  await call(sandbox, 'POST', '/webhooks', { url, event_types: ['subscription.created'] });

  await startWith(db, sandbox, 'one')();

  expect(await call(sandbox, 'GET', '/webhooks')).toMatchObject([
    { url, event_types: BEEHIIV_EVENT_TYPES },
  ]);
});

test('a refusal is stored for the console, and pauses nothing', async ({ db, sandbox }) => {
  sandbox.setFault({ target: 'beehiiv', mode: 'status', status: 403 });
  const run = startWith(db, sandbox, 'one');

  await run();
  await run();

  expect(callsOf(sandbox)).toEqual(['GET webhooks']);
  expect(await readTask(db)).toMatchObject({ failure: 'key-not-allowed', coversUntil: null });
  expect(await db('sync_health').first()).toMatchObject({ pausedSince: null });

  sandbox.setFault({ target: 'beehiiv', mode: 'ok' });
  await startWith(db, sandbox, 'one')();
  expect(await readTask(db)).toMatchObject({ failure: null });
});

test('a worker tries again until Beehiiv answers', async ({ db, sandbox }) => {
  sandbox.setFault({ target: 'beehiiv', mode: 'status', status: 500, times: 1 });
  const run = startWith(db, sandbox, 'one');

  await run();
  expect(await readTask(db)).toMatchObject({ leasedBy: null, failure: null, coversUntil: null });
  await run();

  expect(await listUrls(sandbox)).toEqual([`${PREFIX}one`]);
});

test('workers that start together register one webhook', async ({ db, sandbox }) => {
  const runs = [1, 2, 3].map(() => startWith(db, sandbox, 'one'));

  await Promise.all(runs.map((run) => run()));
  for (const run of runs) await run();

  expect(await listUrls(sandbox)).toEqual([`${PREFIX}one`]);
});

test('without a secret nothing is registered', async ({ db, sandbox }) => {
  await startWith(db, sandbox, null)();

  expect(callsOf(sandbox)).toEqual([]);
});

test('the secret is in no log', async ({ db, sandbox, onTestFinished }) => {
  const lines: string[] = [];
  const write = vi
    .spyOn(process.stdout, 'write')
    .mockImplementation((text) => lines.push(String(text)) > 0);
  onTestFinished(() => write.mockRestore());
  await startWith(db, sandbox, 'first-secret')();
  sandbox.setFault({ target: 'beehiiv', mode: 'status', status: 403 });
  await startWith(db, sandbox, 'second-secret')();

  expect(lines.join('')).toContain('beehiiv refuses our webhook');
  expect(lines.join('')).not.toContain('secret');
  expect(JSON.stringify(sandbox.beehiiv.requests())).not.toContain('secret');
  expect(JSON.stringify(await readTask(db))).not.toContain('secret');
});
