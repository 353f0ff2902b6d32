// @module-tag long
import { generateSync } from 'otplib';
import { describe, expect } from 'vitest';
import { OPERATOR, test as base } from '../../testing/api.fixture.ts';
import type { Answer, Api } from '../../testing/api.fixture.ts';
import { resetPassword } from '../operators/operators.ts';
import { resealTwoStepLogins } from '../operators/two-step-login.ts';

const STEP_MS = 30_000;
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

/** An account's calls, and an authenticator app. */
const test = base.extend('account', ({ api }) => accountOf(api));

function accountOf(api: Api) {
  let secret = '';
  const post = (path: string, headers: Record<string, string>, body?: unknown) =>
    api.call('POST', `/api/admin/account/${path}`, { headers, body });
  return {
    post,
    read: async (headers: Record<string, string>) =>
      (await api.call('GET', '/api/admin/account', { headers })).json,
    logIn: (code?: string, password = OPERATOR.password) =>
      api.call('POST', '/api/admin/login', {
        body: { ...OPERATOR, password, ...(code !== undefined && { code }) },
      }),
    /** The app's code, on a phone whose clock is the given number of time steps ahead. */
    code: (ahead = 0) =>
      generateSync({ secret, epoch: (api.clock.now().getTime() + ahead * STEP_MS) / 1_000 }),
    /** A code works once, so the next code needs the next time step. */
    tick: () => api.clock.moveTo(new Date(api.clock.now().getTime() + STEP_MS)),
    async enrol(headers: Record<string, string>): Promise<string[]> {
      const started = await post('two-step-login/start', headers, { password: OPERATOR.password });
      secret = started.json.secret;
      const confirmed = await post('two-step-login/confirm', headers, { code: this.code() });
      expect(confirmed.status).toBe(200);
      this.tick();
      return confirmed.json.recoveryCodes;
    },
  };
}

const kindOf = ({ json }: Answer) => json.type.replace('urn:problem:', '');

describe('two-step login', () => {
  test('a two-step login’s code is asked for after the password, and works once', async ({
    api,
    account,
  }) => {
    await account.enrol(await api.logIn());

    expect(kindOf(await account.logIn())).toBe('two-step-login-needed');
    expect(kindOf(await account.logIn(undefined, 'guess'))).toBe('login-wrong');
    const code = account.code();
    expect((await account.logIn(`${code.slice(0, 3)} ${code.slice(3)}`)).status).toBe(200);
    expect(kindOf(await account.logIn(code))).toBe('two-step-login-wrong');
    account.tick();
    expect((await account.logIn(account.code())).status).toBe(200);
  });

  test('two-step login outlives a new session secret and the old one’s removal', async ({
    newApi,
    db,
  }) => {
    const [old, fresh] = ['o'.repeat(32), 'n'.repeat(32)];
    const before = await newApi({ SESSION_SECRET: old });
    const account = accountOf(before);
    await account.enrol(await before.logIn());

    await resealTwoStepLogins(db, [fresh, old]);

    const after = await newApi({ SESSION_SECRET: fresh });
    after.clock.moveTo(before.clock.now());
    const body = { ...OPERATOR, code: account.code() };
    expect((await after.call('POST', '/api/admin/login', { body })).status).toBe(200);
  });

  test('the code of a clock that is one step ahead or behind is accepted, and no other', async ({
    api,
    account,
  }) => {
    await account.enrol(await api.logIn());
    const isTaken = async (ahead: number) => {
      for (let n = 0; n < 3; n++) account.tick();
      return (await account.logIn(account.code(ahead))).status === 200;
    };

    const taken = [];
    for (const ahead of [-2, -1, 0, 1, 2]) taken.push(await isTaken(ahead));

    expect(taken).toEqual([false, true, true, true, false]);
  });

  test('an enrolment with an invalid code is refused', async ({ api, account }) => {
    await account.enrol(await api.logIn());

    for (const code of ['12345', '1234567', 'ab🙂cd', '１２３４５６']) {
      expect(kindOf(await account.logIn(code))).toBe('two-step-login-wrong');
    }
  });

  test('an enrolment’s secret names the product and the operator', async ({ api, account }) => {
    const { json } = await account.post('two-step-login/start', await api.logIn(), {
      password: OPERATOR.password,
    });

    expect(json.secret).toMatch(/^[A-Z2-7]{32}$/);
    expect(json.otpauthUri).toBe(
      `otpauth://totp/Liquidation%20Ledger:j.holt?secret=${json.secret}&issuer=Liquidation%20Ledger`,
    );
  });

  test('wrong codes count as failed logins', async ({ api, account }) => {
    await account.enrol(await api.logIn());
    const answers = [];
    for (let n = 0; n < 6; n++) answers.push((await account.logIn('000000')).status);

    expect(answers).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await account.logIn(account.code())).status).toBe(429);
  });

  test('recovery codes work once each, and are stored as hashes', async ({ api, db, account }) => {
    const headers = await api.logIn();
    const [first = '', second = ''] = await account.enrol(headers);

    expect((await account.logIn(first.toLowerCase())).status).toBe(200);
    expect(kindOf(await account.logIn(first))).toBe('two-step-login-wrong');
    expect((await account.logIn(second)).status).toBe(200);
    expect((await account.read(headers)).twoStepLogin).toEqual({
      isOn: true,
      isRequired: false,
      recoveryCodesLeft: 8,
    });
    expect(JSON.stringify(await db('users'))).not.toContain(second.replaceAll('-', ''));

    const renewed = await account.post('two-step-login/recovery-codes', headers, {
      password: OPERATOR.password,
    });
    expect(renewed.json.recoveryCodes).toHaveLength(10);
    expect((await account.read(headers)).twoStepLogin.recoveryCodesLeft).toBe(10);
  });

  test('two-step login counts once a code has confirmed it, and is encrypted', async ({
    api,
    db,
    account,
  }) => {
    const headers = await api.logIn();
    const { json } = await account.post('two-step-login/start', headers, {
      password: OPERATOR.password,
    });
    const wrong = await account.post('two-step-login/confirm', headers, { code: '000000' });

    expect(wrong).toMatchObject({ status: 422, json: { errors: [{ field: 'code' }] } });
    expect((await account.logIn()).status).toBe(200);
    await account.enrol(headers);
    const [stored] = await db('users').select('twoStepLogin');
    expect(stored.twoStepLogin).not.toContain(json.secret);
    expect(stored.twoStepLogin).toMatch(/^[\w-]{60,}$/);
  });

  test('setting up, replacing or turning off two-step login needs the password', async ({
    api,
    account,
  }) => {
    const headers = await api.logIn();
    for (const path of [
      'two-step-login/start',
      'two-step-login/recovery-codes',
      'two-step-login/remove',
    ]) {
      expect(kindOf(await account.post(path, headers, { password: 'guess' }))).toBe(
        'password-wrong',
      );
    }
    await account.enrol(headers);
    await account.post('two-step-login/remove', headers, { password: OPERATOR.password });

    expect((await account.logIn()).status).toBe(200);
  });

  test('a reset removes two-step login', async ({ api, db, account }) => {
    await account.enrol(await api.logIn());
    await resetPassword(db, OPERATOR.username, 'quite another password');

    expect((await account.logIn(undefined, 'quite another password')).status).toBe(200);
  });

  test('two-step login can be required: without it an operator may only set it up', async ({
    newApi,
  }) => {
    const api = await newApi({ TWO_FACTOR: 'required' });
    const account = accountOf(api);
    const headers = await api.logIn();
    const me = () => api.call('GET', '/api/admin/me', { headers });

    expect((await me()).json).toEqual({ username: OPERATOR.username, mustSetUpTwoStepLogin: true });
    for (const path of ['leads', 'leads/export/csv', 'events', 'audit', 'nothing']) {
      expect((await api.call('GET', `/api/admin/${path}`, { headers })).status).toBe(403);
    }
    await account.enrol(headers);

    expect((await me()).json).toEqual({ username: OPERATOR.username });
    expect((await api.call('GET', '/api/admin/leads', { headers })).status).toBe(200);
    const removal = await account.post('two-step-login/remove', headers, {
      password: OPERATOR.password,
    });
    expect(kindOf(removal)).toBe('two-step-login-stays');
  });
});

test('a password change needs the old password, and ends the other sessions', async ({
  api,
  operator,
  account,
}) => {
  const { headers } = operator;
  const other = { Cookie: (await account.logIn()).headers.getSetCookie()[0]!.split(';')[0]! };
  const change = (currentPassword: string, newPassword: string) =>
    account.post('password', headers, { currentPassword, newPassword });

  expect(kindOf(await change('guess', 'quite another password'))).toBe('password-wrong');
  for (const weak of ['elevenchars', 'Password123456', OPERATOR.password]) {
    expect(await change(OPERATOR.password, weak)).toMatchObject({
      status: 422,
      json: { errors: [{ field: 'newPassword' }] },
    });
  }
  expect((await change(OPERATOR.password, 'quite another password')).status).toBe(204);

  expect((await operator.get('me')).status).toBe(200);
  expect((await api.call('GET', '/api/admin/me', { headers: other })).status).toBe(401);
  expect((await account.logIn()).status).toBe(401);
});

test('a stolen session cannot be used to guess the password', async ({ api, account }) => {
  const headers = await api.logIn();
  const guess = () => account.post('two-step-login/remove', headers, { password: 'guess' });
  for (let n = 0; n < 5; n++) await guess();

  expect((await guess()).status).toBe(429);
  expect((await account.logIn()).status).toBe(200);
});

test('of a hundred simultaneous guesses with a stolen session, only five are checked', async ({
  api,
  account,
}) => {
  const headers = await api.logIn();
  const guesses = await Promise.all(
    Array.from({ length: 100 }, () =>
      account.post('two-step-login/remove', headers, { password: 'guess' }),
    ),
  );

  expect(guesses.filter(({ status }) => status !== 429).map(kindOf)).toEqual(
    Array(5).fill('password-wrong'),
  );
});

test('removing two-step login ends the other sessions, and every page shows it', async ({
  api,
  account,
}) => {
  const headers = await api.logIn();
  await account.enrol(headers);
  const other = {
    Cookie: (await account.logIn(account.code())).headers.getSetCookie()[0]!.split(';')[0]!,
  };
  expect((await account.read(headers)).twoStepLogin.isOn).toBe(true);

  expect(
    (await account.post('two-step-login/remove', headers, { password: OPERATOR.password })).status,
  ).toBe(204);

  expect((await api.call('GET', '/api/admin/me', { headers: other })).status).toBe(401);
  expect((await account.read(headers)).twoStepLogin.isOn).toBe(false);
});

describe('a call that must not be made with a session that was taken over', () => {
  const CALLS = [
    'people/erase',
    'people/export',
    'subscriptions/sub_1/refund',
    'account/sign-out-everywhere',
  ];
  const SESSION = '/api/admin/account/sessions/0190a000-0000-7000-8000-000000000001';

  test('a call that needs the password is refused 15 minutes after it was given', async ({
    api,
    operator,
  }) => {
    const { headers } = operator;
    const post = (path: string, body: unknown) => operator.post(path, body);
    const call = (path: string) =>
      post(path, path.startsWith('people') ? { email: 'nobody@reader.example' } : {});
    expect((await call('people/export')).status).not.toBe(403);

    api.clock.moveTo(new Date(api.clock.now().getTime() + 15 * 60_000 + 1));

    for (const path of CALLS) expect(kindOf(await call(path))).toBe('confirmation-required');
    expect(kindOf(await api.call('DELETE', SESSION, { headers }))).toBe('confirmation-required');
    expect((await call('subscriptions/sub_1/refund')).json.detail).toBe(
      'To refund a payment, enter your password again. The last time was over 15 minutes ago.',
    );
    expect((await post('confirm', {})).status).toBe(422);
    expect(kindOf(await post('confirm', { password: 'guess' }))).toBe('password-wrong');
    expect((await operator.get('leads/export/csv')).status).toBe(200);

    expect((await post('confirm', { password: OPERATOR.password })).status).toBe(204);
    expect((await api.call('DELETE', SESSION, { headers })).status).toBe(204);
    // The last call ends the session.
    for (const path of CALLS) expect((await call(path)).status).not.toBe(403);
  });

  test('a right password in the account counts as given', async ({ api, operator, account }) => {
    const { headers } = operator;
    api.clock.moveTo(new Date(api.clock.now().getTime() + 15 * 60_000 + 1));
    const exportPerson = async () => {
      const body = { email: 'nobody@reader.example' };
      return (await operator.post('people/export', body)).status;
    };
    expect(await exportPerson()).toBe(403);

    await account.post('two-step-login/start', headers, { password: OPERATOR.password });

    expect(await exportPerson()).not.toBe(403);
  });

  test('a two-step code confirms a call too, and works once', async ({
    api,
    operator,
    account,
  }) => {
    const { headers } = operator;
    await account.enrol(headers);
    const confirm = (code: string) => operator.post('confirm', { code });

    const code = account.code();
    expect((await confirm(code)).status).toBe(204);
    expect(kindOf(await confirm(code))).toBe('password-wrong');

    api.clock.moveTo(new Date(api.clock.now().getTime() + 15 * 60_000 + 1));
    expect((await operator.post('account/sign-out-others')).json.detail).toMatch(
      /^To log out the others, enter your password, or the six digits of your app, again\./,
    );
  });
});

test('an operator sees sessions and latest logins, and signs out everywhere', async ({
  api,
  account,
}) => {
  const headers = await api.logIn();
  account.tick();
  const windows = await api.call('POST', '/api/admin/login', {
    body: OPERATOR,
    headers: { 'User-Agent': FIREFOX },
  });
  const other = { Cookie: windows.headers.getSetCookie()[0]!.split(';')[0]! };
  await account.logIn(undefined, 'guess');
  await api.call('POST', '/api/admin/confirm', { headers: other, body: { password: 'guess' } });

  const { sessions, signIns } = await account.read(other);

  expect(sessions).toMatchObject([
    { browser: 'Firefox on Windows', isThis: true },
    { browser: null, isThis: false },
  ]);
  expect(signIns).toMatchObject([
    { isFailed: true, isAskedAgain: true, network: '127.0.0.1' },
    { isFailed: true, isAskedAgain: false, browser: null, network: '127.0.0.1' },
    { isFailed: false, browser: 'Firefox on Windows', network: '127.0.0.1' },
    { isFailed: false, browser: null, network: '127.0.0.1' },
  ]);
  const session = { headers: other };
  const path = (id: string) => `/api/admin/account/sessions/${id}`;
  const third = await api.logIn();
  const theirs = (await account.read(third)).sessions.find(
    ({ isThis }: { isThis: boolean }) => isThis,
  );
  expect((await api.call('DELETE', path(theirs.id), session)).status).toBe(204);
  expect((await api.call('DELETE', path('nonsense'), session)).status).toBe(404);
  expect((await api.call('GET', '/api/admin/me', { headers: third })).status).toBe(401);
  expect((await api.call('GET', '/api/admin/me', session)).status).toBe(200);
  const statuses = async () =>
    Promise.all(
      [headers, other].map(
        async (of) => (await api.call('GET', '/api/admin/me', { headers: of })).status,
      ),
    );
  expect((await account.post('sign-out-others', other)).status).toBe(204);
  expect(await statuses()).toEqual([401, 200]);
  expect((await account.post('sign-out-everywhere', other)).status).toBe(204);
  expect(await statuses()).toEqual([401, 401]);
});

test('an operator chooses the view that their own next login opens', async ({
  operator,
  account,
  db,
}) => {
  const { headers } = operator;
  expect((await account.post('opening-view', headers, { view: 'money' })).status).toBe(422);
  expect((await account.post('opening-view', headers, { view: 'overview' })).status).toBe(204);

  const { json } = await account.logIn();
  expect(json).toEqual({ username: OPERATOR.username, opensOverview: true });
  const me = await operator.get('me');
  expect(me.json).toMatchObject({ opensOverview: true });
  expect(await db('operator_actions').where({ action: 'opening-view' })).toMatchObject([
    { operator: OPERATOR.username, detail: { view: 'overview' } },
  ]);

  await account.post('opening-view', headers, { view: 'leads' });
  expect((await account.logIn()).json).toEqual({ username: OPERATOR.username });
});
