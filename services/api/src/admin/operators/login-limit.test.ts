import { countLockWaits, openTransaction } from '@site/testing/builders';
import { expect } from 'vitest';
import { OPERATOR, test } from '../../testing/api.fixture.ts';
import type { Answer } from '../../testing/api.fixture.ts';
import { addOperator, resetPassword } from './operators.ts';

test('the login limit applies to simultaneous guesses', async ({ api, db, onTestFinished }) => {
  await addOperator(db, OPERATOR.username, OPERATOR.password);
  const guess = async (password: string) =>
    (await api.call('POST', '/api/admin/login', { body: { ...OPERATOR, password } })).status;
  const held = await openTransaction(db);
  onTestFinished(async () => void (held.isCompleted() || (await held.rollback())));
  await held.raw('lock table users in access exclusive mode');
  const wrong = Array.from({ length: 8 }, (_, n) => guess(`guess ${n}`));
  await expect.poll(() => countLockWaits(db)).toBeGreaterThan(0);
  await api.call('GET', '/api/admin/me');
  const right = guess(OPERATOR.password);
  await api.call('GET', '/api/admin/me');
  await held.commit();

  expect(await right).toBe(429);
  expect((await Promise.all(wrong)).filter((status) => status === 401)).toHaveLength(5);
});

test('the login limit counts per account, however its name is written', async ({ newApi }) => {
  const api = await newApi({ TRUST_PROXY: '1' });
  await addOperator(api.deps.db, OPERATOR.username, OPERATOR.password);
  const statuses: number[] = [];
  for (const [n, username] of [
    'j.holt',
    'J.HOLT',
    'j.holt\0',
    '\0j.holt',
    'j.\0holt',
    'j.\uD800holt',
  ].entries()) {
    const { status } = await api.call('POST', '/api/admin/login', {
      body: { username, password: 'guess' },
      headers: { 'X-Forwarded-For': `192.0.2.${n + 1}` },
    });
    statuses.push(status);
  }

  expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
});

test('the login limit does not keep out a browser that signed in before', async ({ newApi }) => {
  const api = await newApi({ TRUST_PROXY: '1' });
  const login = (password: string, headers: Record<string, string>) =>
    api.call('POST', '/api/admin/login', { body: { ...OPERATOR, password }, headers });
  const home = { 'X-Forwarded-For': '192.0.2.1' };
  await addOperator(api.deps.db, OPERATOR.username, OPERATOR.password);
  const device = deviceOf(await login(OPERATOR.password, home));
  for (let n = 0; n < 6; n++)
    await login('guess', { 'X-Forwarded-For': n < 5 ? '203.0.113.9' : '192.0.2.1' });

  expect((await login(OPERATOR.password, home)).status).toBe(429);
  expect((await login(OPERATOR.password, { ...home, Cookie: device })).status).toBe(200);
  // A forged cookie, or another operator's, is worthless.
  const forged = device.replace(/=[^~]*/, (id) => id.replaceAll(/[0-9a-f]/g, '0'));
  expect((await login(OPERATOR.password, { ...home, Cookie: forged })).status).toBe(429);
  // A stolen cookie gives five more guesses.
  const stolen = [];
  for (let n = 0; n < 6; n++)
    stolen.push((await login('guess', { ...home, Cookie: device })).status);
  expect(stolen).toEqual([401, 401, 401, 401, 401, 429]);
});

test('signing out everywhere makes a remembered browser count again', async ({ newApi }) => {
  const api = await newApi({ TRUST_PROXY: '1' });
  const login = (password: string, headers: Record<string, string>) =>
    api.call('POST', '/api/admin/login', { body: { ...OPERATOR, password }, headers });
  const home = { 'X-Forwarded-For': '192.0.2.1' };
  await addOperator(api.deps.db, OPERATOR.username, OPERATOR.password);
  const signedIn = await login(OPERATOR.password, home);
  const session = { Cookie: signedIn.headers.getSetCookie()[0]!.split(';')[0]! };
  const remembered = { ...home, Cookie: deviceOf(signedIn) };
  for (let n = 0; n < 5; n++) await login('guess', home);
  expect((await login(OPERATOR.password, remembered)).status).toBe(200);

  await api.call('POST', '/api/admin/account/sign-out-everywhere', { headers: session });

  expect((await login(OPERATOR.password, remembered)).status).toBe(429);
});

test('a reset lifts the login limit, for the IP address too', async ({ api, db }) => {
  await addOperator(db, OPERATOR.username, OPERATOR.password);
  const login = async (password: string) =>
    (await api.call('POST', '/api/admin/login', { body: { ...OPERATOR, password } })).status;
  for (let n = 0; n < 6; n++) await login('guess');
  expect(await login(OPERATOR.password)).toBe(429);

  await resetPassword(db, OPERATOR.username.toUpperCase(), 'quite another password');

  expect(await login('quite another password')).toBe(200);
});

test('the login limit lasts 15 minutes, with the time to wait', async ({ api, db }) => {
  await addOperator(db, OPERATOR.username, OPERATOR.password);
  const login = () =>
    api.call('POST', '/api/admin/login', { body: { ...OPERATOR, password: 'guess' } });
  for (let n = 0; n < 5; n++) await login();
  const refused = await login();
  await login();
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(14 * 60);
  expect(refused.json.detail).toBe('Too many failed logins. Try again in 15 minutes.');

  await db('logins').update({ at: db.raw(`at - interval '15 minutes'`) });

  expect((await login()).status).toBe(401);
  // Five failures, one refusal even after several, and the new failure.
  expect(await db('logins').orderBy('id').pluck('outcome')).toEqual([
    ...Array(5).fill('failed'),
    'refused',
    'failed',
  ]);
});

test('a name that only another alphabet folds to an operator’s is another name', async ({
  api,
  db,
}) => {
  await addOperator(db, 'admin', OPERATOR.password);
  const login = async (username: string) =>
    (
      await api.call('POST', '/api/admin/login', {
        body: { username, password: OPERATOR.password },
      })
    ).status;

  expect(await login('ADMIN')).toBe(200);
  expect(await login('admİn')).toBe(401);
  expect(await login('ＡＤＭＩＮ')).toBe(401);
  expect(await db('logins').where({ outcome: 'failed' }).distinct('account')).toHaveLength(2);
  expect(await addOperator(db, 'Admin', 'x')).toBe(false);
  expect(await addOperator(db, 'admİn', 'x')).toBe(true);
});

const deviceOf = (answer: Answer) =>
  answer.headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith('operator-device='))!
    .split(';')[0]!;
