import { verify } from '@node-rs/argon2';
import type { Database } from '@site/platform/database/connect';
import { londonDate } from '@site/schema/calendar';
import { countLockWaits, openTransaction, storeLead } from '@site/testing/builders';
import { expect } from 'vitest';
import { OPERATOR, test } from '../../testing/api.fixture.ts';
import type { Answer, Api } from '../../testing/api.fixture.ts';
import { addOperator, removeOperator, resetPassword, storeOperator } from './operators.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const newCookie = (answer: Answer) => answer.headers.get('set-cookie')?.split(';')[0];
const me = (api: Api, headers: Record<string, string>) =>
  api.call('GET', '/api/admin/me', { headers });
type OnFinished = (work: () => Promise<void>) => void;
const later = (api: Api, ms: number) => api.clock.moveTo(new Date(api.clock.now().getTime() + ms));

/** Sessions may be idle for longer than an id lasts. */
const patient = test.extend('api', ({ newApi }) => newApi({ SESSION_IDLE_MINUTES: '600' }));

test('a call does not extend its session', async ({ operator, db }) => {
  await db('operator_sessions').update({ expire: db.raw(`expire - interval '1 hour'`) });
  const before = await db('operator_sessions').pluck('expire');

  expect((await operator.get('me')).status).toBe(200);

  expect(await db('operator_sessions').pluck('expire')).toEqual(before);
});

test('a session ends after half an hour without use, even with an open stream', async ({ api }) => {
  const headers = await api.logIn();
  later(api, 20 * MINUTE_MS);
  expect((await me(api, headers)).status).toBe(200);
  later(api, 20 * MINUTE_MS);
  const leaving = new AbortController();
  const stream = await fetch(`${api.url}/api/admin/events`, { headers, signal: leaving.signal });
  expect(stream.status).toBe(200);
  leaving.abort();
  expect((await me(api, { ...headers, 'X-Background': '1' })).status).toBe(200);

  later(api, 11 * MINUTE_MS);

  expect((await me(api, headers)).status).toBe(401);
});

test('no stream outlives its session', async ({ api }) => {
  const headers = await api.logIn();
  const stream = await fetch(`${api.url}/api/admin/events`, { headers });
  const isOver = stream.text();

  later(api, 31 * MINUTE_MS);

  expect(await isOver).toContain('retry: 2000');
});

test('a session ends after twelve hours, even in use', async ({ api }) => {
  let headers = await api.logIn();
  for (let minutes = 0; minutes < 12 * 60 - 20; minutes += 20) {
    later(api, 20 * MINUTE_MS);
    const answer = await me(api, headers);
    expect(answer.status).toBe(200);
    const cookie = newCookie(answer);
    if (cookie) headers = { Cookie: cookie };
  }
  later(api, 20 * MINUTE_MS);
  expect((await me(api, headers)).status).toBe(401);
});

test('over https a session’s cookie can be set only by this host', async ({ newApi }) => {
  const api = await newApi({ PUBLIC_URL: 'https://ledger.example' });
  await addOperator(api.deps.db, OPERATOR.username, OPERATOR.password);
  const answer = await api.call('POST', '/api/admin/login', {
    body: OPERATOR,
    headers: { 'X-Forwarded-Proto': 'https' },
  });

  const cookies = answer.headers.getSetCookie();
  expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual([
    '__Host-operator',
    '__Host-operator-device',
  ]);
  for (const cookie of cookies) {
    expect(cookie).toMatch(/; Path=\/;.*HttpOnly/);
    expect(cookie).toMatch(/; Secure/);
    expect(cookie).toMatch(/; SameSite=Lax/);
    expect(cookie).not.toMatch(/Domain/i);
  }
});

test('no session starts where the browser would refuse its cookie', async ({ newApi }) => {
  const api = await newApi({ PUBLIC_URL: 'https://ledger.example' });
  await addOperator(api.deps.db, OPERATOR.username, OPERATOR.password);
  for (const headers of [{}, { 'X-Forwarded-Proto': 'http' }]) {
    const answer = await api.call('POST', '/api/admin/login', { body: OPERATOR, headers });

    expect(answer).toMatchObject({ status: 400, json: { type: 'urn:problem:scheme-unknown' } });
    expect(answer.json.detail).toContain('X-Forwarded-Proto: https');
  }
});

test('a session outlives a new secret that is put before the old one', async ({ newApi }) => {
  const [old, fresh] = ['o'.repeat(32), 'n'.repeat(32)];
  const before = await newApi({ SESSION_SECRET: old });
  const headers = await before.logIn();
  const after = await newApi({ SESSION_SECRET: `${fresh},${old}` });
  const later = await newApi({ SESSION_SECRET: fresh });

  expect((await me(after, headers)).status).toBe(200);
  expect((await me(later, headers)).status).toBe(401);
});

patient(
  'a session gets a new id every hour, and the old one lasts one more minute',
  async ({ api }) => {
    const old = await api.logIn();
    later(api, HOUR_MS + 1_000);
    const answers = await Promise.all([me(api, old), me(api, old), me(api, old)]);
    const cookies = answers
      .map((answer) => answer.headers.get('set-cookie')?.split(';')[0])
      .filter((cookie) => cookie !== undefined && cookie !== old['Cookie']);

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    // Any of the three may come first.
    expect(cookies).toHaveLength(1);
    const fresh = { Cookie: cookies[0]! };
    expect((await me(api, old)).status).toBe(200);
    later(api, 61_000);
    expect((await me(api, old)).status).toBe(401);
    expect((await me(api, fresh)).status).toBe(200);
  },
);

patient(
  'a session keeps its new id when a late answer still carries the old one',
  async ({ api }) => {
    const old = await api.logIn();
    later(api, HOUR_MS + 1_000);
    const answers = await Promise.all(Array.from({ length: 6 }, () => me(api, old)));
    answers.push(await me(api, old));

    const given = answers
      .map(({ headers }) => headers.get('set-cookie')?.split(';')[0])
      .filter(Boolean);
    expect(given).toHaveLength(1);
    expect(given).not.toContain(old['Cookie']);
  },
);

test('every session ends when the password changes', async ({ api, db }) => {
  const headers = await api.logIn();
  await resetPassword(db, OPERATOR.username, 'another one');
  expect((await me(api, headers)).status).toBe(401);
});

test('no session is created if the password changes meanwhile', async ({
  api,
  db,
  onTestFinished,
}) => {
  await api.logIn();
  // The change is held at its commit, after it ended every session.
  const change = await openTransaction(db);
  onTestFinished(async () => void (change.isCompleted() || (await change.rollback())));
  await resetPassword(change, OPERATOR.username, 'another one');
  const login = api.call('POST', '/api/admin/login', { body: OPERATOR });
  await expect.poll(async () => (await countLockWaits(db)) > 0).toBe(true);
  await change.commit();

  expect((await login).status).toBe(401);
  expect(await db('operator_sessions').select()).toEqual([]);
});

patient(
  'a session ends if the password changes while its id is replaced',
  async ({ api, db, onTestFinished }) => {
    const old = await api.logIn();
    later(api, HOUR_MS + 1_000);
    const change = await openTransaction(db);
    onTestFinished(async () => void (change.isCompleted() || (await change.rollback())));
    // The change is half done: it has not reached the sessions.
    await change('users').update({ password: 'another one' });
    const call = me(api, old);
    await expect.poll(async () => (await countLockWaits(db)) > 0).toBe(true);
    await change('operator_sessions').delete();
    await change.commit();

    expect((await call).status).toBe(401);
    expect(await db('operator_sessions').select()).toEqual([]);
  },
);

patient('signing out ends a session under every id that it had', async ({ api }) => {
  const old = await api.logIn();
  later(api, HOUR_MS + 1_000);
  const fresh = { Cookie: (await me(api, old)).headers.get('set-cookie')!.split(';')[0]! };

  await api.call('POST', '/api/admin/logout', { headers: fresh });

  expect((await me(api, old)).status).toBe(401);
  expect((await me(api, fresh)).status).toBe(401);
});

/** Holds back writes to the sessions until the returned function has done some work and commits. */
async function holdSessions(db: Database, onTestFinished: OnFinished) {
  const other = await openTransaction(db);
  onTestFinished(async () => void (other.isCompleted() || (await other.rollback())));
  await other.raw('lock table operator_sessions in share mode');
  return async (work: (trx: Database) => Promise<unknown>) => {
    await expect.poll(async () => (await countLockWaits(db)) > 0).toBe(true);
    await work(other);
    await other.commit();
  };
}

const ENDINGS: Record<string, (trx: Database) => Promise<unknown>> = {
  'a colleague removes the operator': async (trx) => {
    await storeOperator(trx, 'second', 'hash');
    await removeOperator(trx, OPERATOR.username, 'second');
  },
  'a command sets a new password': (trx) => resetPassword(trx, OPERATOR.username, 'another one'),
  'another login signs out everywhere': (trx) => trx('operator_sessions').delete(),
};
for (const [ending, end] of Object.entries(ENDINGS))
  test(`a late call does not bring a session back after ${ending}`, async ({
    newApi,
    db,
    onTestFinished,
  }) => {
    const [api, other] = [await newApi(), await newApi()];
    const headers = await api.logIn();
    const endWhileHeld = await holdSessions(db, onTestFinished);
    const confirm = api.call('POST', '/api/admin/confirm', {
      headers,
      body: { password: OPERATOR.password },
    });
    await endWhileHeld(end);

    expect((await confirm).status).toBe(401);
    expect(await db('operator_sessions').select()).toEqual([]);
    for (const process of [api, other]) expect((await me(process, headers)).status).toBe(401);
  });

test('a thief with the old password cannot undo the owner’s new one', async ({
  operator,
  db,
  onTestFinished,
}) => {
  const endWhileHeld = await holdSessions(db, onTestFinished);
  const change = operator.post('account/password', {
    currentPassword: OPERATOR.password,
    newPassword: 'seventeen violet harbours',
  });
  await endWhileHeld((trx) => resetPassword(trx, OPERATOR.username, 'another one'));

  expect((await change).status).toBe(401);
  const { password } = await db('users').first('password');
  expect(await verify(password, 'another one')).toBe(true);
});

patient('a call with the old id does not extend it beyond a minute', async ({ api, db }) => {
  const old = await api.logIn();
  later(api, HOUR_MS + 1_000);
  // The call loaded its session before another call replaced the id.
  const lock = await openTransaction(db);
  await lock.raw('lock table logins in access exclusive mode');
  const confirm = api.call('POST', '/api/admin/confirm', {
    headers: { ...old, 'X-Background': '1' },
    body: { password: OPERATOR.password },
  });
  await expect.poll(async () => (await countLockWaits(db)) > 0).toBe(true);
  await db('operator_sessions').update({ replacedAt: api.clock.now() });
  await lock.commit();
  await confirm;

  later(api, 61_000);
  expect((await me(api, old)).status).toBe(401);
});

test('the audit log records who did what, and cannot be changed', async ({ api, operator, db }) => {
  const lead = await storeLead(db);
  // The panel loads the lead again with every change.
  for (let n = 0; n < 3; n++) await operator.get(`leads/${lead.id}`);
  await api.call('POST', '/api/admin/login', { body: { ...OPERATOR, password: 'guess' } });
  await api.call('POST', '/api/admin/login', {
    body: { username: 'my secret password', password: 'x' },
  });
  await operator.get('leads/export/csv?search=priya');
  await addOperator(db, 'second', 'password');
  await removeOperator(db, 'second');
  const { json } = await operator.get('audit');
  expect(json.actions.map((row: any) => [row.action, row.operator, row.subject])).toEqual([
    ['user-remove', null, 'second'],
    ['user-add', null, 'second'],
    ['export-leads', OPERATOR.username, null],
    ['login-failed', null, null],
    ['login-failed', null, OPERATOR.username],
    ['read-lead', OPERATOR.username, lead.id],
    ['login', OPERATOR.username, null],
    ['user-add', null, OPERATOR.username],
  ]);
  expect(JSON.stringify(json)).not.toMatch(/secret|priya/);
  const today = londonDate(new Date());
  const on = async (days: string) => (await operator.get(`audit?${days}`)).json.actions;
  expect(await on(`startDate=${today}&endDate=${today}`)).toEqual(json.actions);
  expect(await on('endDate=2020-01-01')).toEqual([]);
  expect(await on('startDate=2120-01-01')).toEqual([]);
  await operator.post('logout');
  expect(await db('operator_actions').orderBy('id', 'desc').first()).toMatchObject({
    action: 'logout',
  });
  await expect(db('operator_actions').delete()).rejects.toThrow('append only');
  await expect(db('operator_actions').truncate()).rejects.toThrow('append only');
});

test('a login under way while two-step login is turned on needs a code', async ({ api, db }) => {
  await api.logIn();
  const setUp = await openTransaction(db);
  await setUp('users').forUpdate();
  await setUp('users').update({ twoStepLogin: 'sealed' });
  const login = api.call('POST', '/api/admin/login', { body: OPERATOR });
  await expect.poll(() => countLockWaits(db)).toBe(1);
  await setUp.commit();

  expect((await login).status).toBe(401);
});
