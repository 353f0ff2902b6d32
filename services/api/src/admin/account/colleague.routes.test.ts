import { expect } from 'vitest';
import { OPERATOR, test as base } from '../../testing/api.fixture.ts';
import type { Answer, Api } from '../../testing/api.fixture.ts';

const HOUR_MS = 3_600_000;
const OWN = 'a sentence of my own, for a while';

const kindOf = ({ json }: Answer) => json.type.replace('urn:problem:', '');
const add = (api: Api, headers: Record<string, string>, username = 'Ana', role = 'owner') =>
  api.call('POST', '/api/admin/operators', { headers, body: { username, role } });

/** Logs an operator in, and returns the headers of their later calls. */
async function logIn(api: Api, body: { username: string; password: string }) {
  const answer = await api.call('POST', '/api/admin/login', { body });
  return { answer, headers: { Cookie: answer.headers.get('set-cookie')?.split(';')[0] ?? '' } };
}

const test = base
  .extend('headers', ({ api }) => api.logIn())
  .extend('mails', ({ db }) => async () => {
    const mails = await db('notices').where({ channel: 'mail' }).orderBy('noticedAt');
    return mails.map(({ body }) => body as { subject: string });
  });

test('operators are listed, added and removed by operators alone, who confirm it', async ({
  api,
  headers,
}) => {
  const id = '0190a000-0000-7000-8000-000000000001';
  expect((await api.call('GET', '/api/admin/operators')).status).toBe(401);
  expect((await add(api, {})).status).toBe(401);
  expect((await api.call('DELETE', `/api/admin/operators/${id}`)).status).toBe(401);

  api.clock.moveTo(new Date(api.clock.now().getTime() + 16 * 60_000));
  expect(kindOf(await add(api, headers))).toBe('confirmation-required');
  const removal = await api.call('DELETE', `/api/admin/operators/${id}`, { headers });
  expect(kindOf(removal)).toBe('confirmation-required');
});

test('an added operator must change the one-time password before any other call', async ({
  newApi,
  db,
  mails,
}) => {
  const api = await newApi({
    SMTP_URL: 'smtp://127.0.0.1:1',
    ALERT_EMAIL: 'owner@ledger.example',
    MAIL_FROM: 'site@ledger.example',
  });
  const headers = await api.logIn();
  const { status, json } = await add(api, headers, ' Ana ');
  expect(status).toBe(201);
  expect(json).toMatchObject({ username: 'Ana', password: expect.stringMatching(/^[\w-]{20}$/) });
  expect((await add(api, headers, 'ANA')).json.errors).toMatchObject([{ field: 'username' }]);
  expect((await mails()).map(({ subject }) => subject)).toContain('An operator was added');
  expect(JSON.stringify(await mails())).not.toContain(json.password);
  expect(await db('operator_actions').where({ action: 'user-add', subject: 'Ana' })).toMatchObject([
    { operator: OPERATOR.username },
  ]);

  const ana = await logIn(api, { username: 'ana', password: json.password });
  expect(ana.answer.json).toEqual({ username: 'Ana', mustChangePassword: true });
  const get = async (path: string) =>
    api.call('GET', `/api/admin/${path}`, { headers: ana.headers });
  for (const path of ['leads', 'leads/export/csv', 'events', 'audit', 'operators', 'nothing'])
    expect(kindOf(await get(path))).toBe('password-one-time');
  expect(kindOf(await add(api, ana.headers, 'Ben'))).toBe('password-one-time');
  expect((await get('me')).json).toEqual({ username: 'Ana', mustChangePassword: true });

  const body = { currentPassword: json.password, newPassword: OWN };
  const change = await api.call('POST', '/api/admin/account/password', {
    headers: ana.headers,
    body,
  });
  expect(change.status).toBe(204);
  expect((await get('leads')).status).toBe(200);
  expect((await get('operators')).json.operators).toMatchObject([
    {
      username: 'Ana',
      role: 'owner',
      passwordEndsAt: null,
      isSelf: true,
      lastLoginAt: expect.any(String),
    },
    { username: OPERATOR.username, isSelf: false },
  ]);
  expect((await logIn(api, { username: 'Ana', password: json.password })).answer.status).toBe(401);
});

test('an added operator sets up two-step login too, where it is required', async ({ newApi }) => {
  const api = await newApi({ TWO_FACTOR: 'required' });
  const headers = await api.logIn();
  expect(kindOf(await add(api, headers))).toBe('two-step-login-missing');

  await api.deps.db('users').update({ twoStepLogin: 'sealed' });
  const { json } = await add(api, headers);
  const ana = await logIn(api, { username: 'Ana', password: json.password });
  expect(ana.answer.json).toMatchObject({ mustChangePassword: true, mustSetUpTwoStepLogin: true });
  await api.call('POST', '/api/admin/account/password', {
    headers: ana.headers,
    body: { currentPassword: json.password, newPassword: OWN },
  });

  const leads = await api.call('GET', '/api/admin/leads', { headers: ana.headers });
  expect(kindOf(leads)).toBe('two-step-login-missing');
});

test('a one-time password ends after 72 hours', async ({ api, headers }) => {
  const { json } = await add(api, headers);
  const credentials = { username: 'Ana', password: json.password };
  expect(Date.parse(json.endsAt)).toBe(api.clock.now().getTime() + 72 * HOUR_MS);

  api.clock.moveTo(new Date(Date.parse(json.endsAt) - 1));
  expect((await logIn(api, credentials)).answer.status).toBe(200);
  api.clock.moveTo(new Date(json.endsAt));
  expect(kindOf((await logIn(api, credentials)).answer)).toBe('login-wrong');
});

test('a removed operator’s sessions end, and nobody removes their own login', async ({
  api,
  headers,
  db,
}) => {
  const { json } = await add(api, headers);
  const ana = await logIn(api, { username: 'Ana', password: json.password });
  const remove = async (id: string) =>
    api.call('DELETE', `/api/admin/operators/${id}`, { headers });
  const { operators } = (await api.call('GET', '/api/admin/operators', { headers })).json;
  const self = operators.find(({ isSelf }: { isSelf: boolean }) => isSelf);

  expect(kindOf(await remove(self.id))).toBe('own-login');
  expect((await remove(json.id)).status).toBe(204);
  expect((await remove(json.id)).status).toBe(404);

  expect((await api.call('GET', '/api/admin/me', { headers: ana.headers })).status).toBe(401);
  expect((await logIn(api, { username: 'Ana', password: json.password })).answer.status).toBe(401);
  expect(await db('operator_actions').where({ action: 'user-remove' })).toMatchObject([
    { operator: OPERATOR.username, subject: 'Ana' },
  ]);
});

test('a new one-time password logs a colleague out and keeps two-step login', async ({
  newApi,
  db,
  mails,
}) => {
  const api = await newApi({
    SMTP_URL: 'smtp://127.0.0.1:1',
    ALERT_EMAIL: 'owner@ledger.example',
    MAIL_FROM: 'site@ledger.example',
  });
  const headers = await api.logIn();
  const { json } = await add(api, headers);
  const ana = await logIn(api, { username: 'Ana', password: json.password });
  await db('users').where({ id: json.id }).update({ twoStepLogin: 'sealed' });
  const renew = (id: string) =>
    api.call('POST', `/api/admin/operators/${id}/password`, { headers });
  const own = await db('users').where({ username: OPERATOR.username }).first('id');

  expect(kindOf(await renew(own.id))).toBe('own-login');
  expect((await renew('0190a000-0000-7000-8000-000000000001')).status).toBe(404);
  const renewed = await renew(json.id);

  expect(renewed).toMatchObject({ status: 200, json: { id: json.id, username: 'Ana' } });
  expect(renewed.json.password).not.toBe(json.password);
  expect((await api.call('GET', '/api/admin/me', { headers: ana.headers })).status).toBe(401);
  const logInWith = async ({ password }: { password: string }) =>
    kindOf((await logIn(api, { username: 'Ana', password })).answer);
  expect(await logInWith(json)).toBe('login-wrong');
  expect(await logInWith(renewed.json)).toBe('two-step-login-needed');
  expect(await db('operator_actions').where({ action: 'user-password' })).toMatchObject([
    { operator: OPERATOR.username, subject: 'Ana' },
  ]);
  expect((await mails()).at(-1)?.subject).toBe('An operator was given a new password');
});

test('of two operators who remove each other at once, one stays', async ({ api, headers, db }) => {
  const { json } = await add(api, headers);
  const ana = await logIn(api, { username: 'Ana', password: json.password });
  await api.call('POST', '/api/admin/account/password', {
    headers: ana.headers,
    body: { currentPassword: json.password, newPassword: OWN },
  });
  const own = await db('users').where({ username: OPERATOR.username }).first('id');

  const answers = await Promise.all([
    api.call('DELETE', `/api/admin/operators/${json.id}`, { headers }),
    api.call('DELETE', `/api/admin/operators/${own.id}`, { headers: ana.headers }),
  ]);

  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([204, 401]));
  expect(await db('users')).toHaveLength(1);
});
