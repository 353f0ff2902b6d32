import { storeLead } from '@site/testing/builders';
import { createFixedClock } from '../../testing/fixed-clock.ts';
import { generateSync } from 'otplib';
import { expect } from 'vitest';
import { renderMail } from '../../mail/mail-body.ts';
import { OPERATOR, test as base } from '../../testing/api.fixture.ts';
import type { Api } from '../../testing/api.fixture.ts';
import { addOperator, resetPassword } from './operators.ts';

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';
const NEXT = 'quite another password';

const test = base.extend('notices', async ({ db }) => {
  await addOperator(db, OPERATOR.username, OPERATOR.password);
  /** The security notices stored since the last look, as plain text after their subject. */
  return async () => {
    const mails = await db('notices').orderBy('noticedAt');
    await db('notices').delete();
    return mails.map(({ body }) => `${body.subject}\n${renderMail(body).plain}`);
  };
});

const logIn = (api: Api, headers: Record<string, string> = {}, password = OPERATOR.password) =>
  api.call('POST', '/api/admin/login', { body: { ...OPERATOR, password }, headers });

test('the owner gets an email about the first login from a new browser', async ({
  api,
  notices,
}) => {
  const first = await logIn(api, { 'User-Agent': FIREFOX });
  const [notice, ...others] = await notices();

  expect(others).toEqual([]);
  expect(notice).toMatch(/^Login from a new browser\n/);
  for (const words of [
    OPERATOR.username,
    'Firefox on Windows',
    '127.0.0.1',
    'UK time',
    'Change the password',
  ]) {
    expect(notice).toContain(words);
  }
  expect(notice).not.toContain(OPERATOR.password);

  const device = first.headers
    .getSetCookie()
    .find((cookie) => cookie.startsWith('operator-device='))!;
  await logIn(api, { 'User-Agent': FIREFOX, Cookie: device });
  expect(await notices()).toEqual([]);
});

test('the owner gets no email about a wrong password', async ({ api, notices }) => {
  await logIn(api, {}, 'guess');

  expect(await notices()).toEqual([]);
});

test('the owner gets an email about a changed password', async ({ operator, notices }) => {
  await notices();
  const body = { currentPassword: OPERATOR.password, newPassword: NEXT };
  await operator.post('account/password', body);

  const [notice] = await notices();

  expect(notice).toMatch(/^A password was changed\n/);
  expect(notice).not.toMatch(new RegExp(`${NEXT}|${OPERATOR.password}`));
});

test('the owner gets an email about two-step login and new recovery codes', async ({
  api,
  notices,
}) => {
  const headers = await api.logIn();
  await notices();
  const path = '/api/admin/account/two-step-login';
  const password = { password: OPERATOR.password };
  const started = await api.call('POST', `${path}/start`, { headers, body: password });
  const code = generateSync({
    secret: started.json.secret,
    epoch: api.clock.now().getTime() / 1_000,
  });
  await api.call('POST', `${path}/confirm`, { headers, body: { code: '000000' } });
  expect(await notices()).toEqual([]);

  const confirmed = await api.call('POST', `${path}/confirm`, { headers, body: { code } });
  const renewed = await api.call('POST', `${path}/recovery-codes`, { headers, body: password });

  const told = await notices();
  expect(told).toEqual([
    expect.stringMatching(/^Two-step login was set up\n/),
    expect.stringMatching(/^New recovery codes were made\n/),
  ]);
  const secrets = [
    started.json.secret,
    ...confirmed.json.recoveryCodes,
    ...renewed.json.recoveryCodes,
  ];
  for (const secret of secrets) expect(told.join('\n')).not.toContain(secret);
});

test('the owner gets an email about two-step login being removed', async ({ api, notices }) => {
  const headers = await api.logIn();
  const password = { password: OPERATOR.password };
  const path = '/api/admin/account/two-step-login';
  const started = await api.call('POST', `${path}/start`, { headers, body: password });
  const code = generateSync({
    secret: started.json.secret,
    epoch: api.clock.now().getTime() / 1_000,
  });
  await api.call('POST', `${path}/confirm`, { headers, body: { code } });
  await notices();

  expect((await api.call('POST', `${path}/remove`, { headers, body: password })).status).toBe(204);

  expect(await notices()).toEqual([expect.stringMatching(/^Two-step login was removed\n/)]);
});

test('the owner gets an email about a login reset by a command', async ({ api, db, notices }) => {
  const clock = createFixedClock(new Date('2026-01-01T12:00:00Z'));
  await resetPassword(db, OPERATOR.username, NEXT, { clock, settings: api.deps.settings });

  expect(await notices()).toEqual([
    expect.stringMatching(/^An operator’s login was reset on the server\n/),
  ]);
});

test('the owner gets an email about an export of all leads, not of a part', async ({
  operator,
  db,
  notices,
}) => {
  await storeLead(db);
  await storeLead(db, { formType: 'pre_sample' });
  await notices();
  const download = (query: string) => operator.get(`leads/export/csv${query}`);

  await download('?formType=pre_sample');
  expect(await notices()).toEqual([]);
  for (const query of ['', '?startDate=2000-01-01']) {
    await download(query);
    expect(await notices()).toEqual([expect.stringMatching(/^All leads were exported\n/)]);
  }
});

test('a notice that could not be sent is not stored', async ({ newApi, notices }) => {
  const api = await newApi();
  Object.assign(api.deps.settings, { mail: null });

  expect((await logIn(api)).status).toBe(200);

  expect(await notices()).toEqual([]);
});
