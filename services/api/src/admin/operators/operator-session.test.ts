import { describe, expect } from 'vitest';
import { OPERATOR, test } from '../../testing/api.fixture.ts';
import type { Api } from '../../testing/api.fixture.ts';
import { addOperator, removeOperator, resetPassword } from './operator.service.ts';

const HOUR_MS = 3_600_000;
const me = (api: Api, headers: Record<string, string>) => api.call('GET', '/api/admin/me', { headers });
const later = (api: Api, ms: number) => api.clock.moveTo(new Date(api.clock.now().getTime() + ms));

describe('an operator’s session', () => {
  test('gets a new id every hour; the old one is good for a minute more', async ({ api }) => {
    const old = await api.logIn();
    later(api, HOUR_MS + 1_000);
    const answers = await Promise.all([me(api, old), me(api, old), me(api, old)]);
    const cookies = answers
      .map((answer) => answer.headers.get('set-cookie')?.split(';')[0])
      .filter((cookie) => cookie !== old['Cookie']);

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(cookies.filter((cookie) => cookie !== undefined)).toHaveLength(1);
    const fresh = { Cookie: cookies[0]! };
    expect((await me(api, old)).status).toBe(200);
    later(api, 61_000);
    expect((await me(api, old)).status).toBe(401);
    expect((await me(api, fresh)).status).toBe(200);
  });

  test('ends after a week, however busy', async ({ api }) => {
    let headers = await api.logIn();
    for (let day = 0; day < 6; day++) {
      later(api, 24 * HOUR_MS);
      const cookie = (await me(api, headers)).headers.get('set-cookie')?.split(';')[0];
      headers = { Cookie: cookie! };
    }
    expect((await me(api, headers)).status).toBe(200);
    later(api, 25 * HOUR_MS);
    expect((await me(api, headers)).status).toBe(401);
  });

  test('ends everywhere when the password changes', async ({ api, db }) => {
    const headers = await api.logIn();
    await resetPassword(db, OPERATOR.username, 'another one');
    expect((await me(api, headers)).status).toBe(401);
  });
});

describe('the audit', () => {
  test('has who did what, and cannot be changed', async ({ api, db }) => {
    const headers = await api.logIn();
    await api.call('POST', '/api/admin/login', { body: { ...OPERATOR, password: 'guess' } });
    await api.call('POST', '/api/admin/login', { body: { username: 'my secret password', password: 'x' } });
    await api.call('GET', '/api/admin/leads/export/csv?search=priya', { headers });
    await addOperator(db, 'second', 'password');
    await removeOperator(db, 'second');
    const { json } = await api.call('GET', '/api/admin/audit', { headers });
    await api.call('POST', '/api/admin/logout', { headers });

    expect(json.actions.map((row: any) => [row.action, row.operator, row.subject])).toEqual([
      ['user-remove', null, 'second'],
      ['user-add', null, 'second'],
      ['export-leads', OPERATOR.username, null],
      ['login-failed', null, null],
      ['login-failed', null, OPERATOR.username],
      ['login', OPERATOR.username, null],
      ['user-add', null, OPERATOR.username],
    ]);
    expect(JSON.stringify(json)).not.toMatch(/secret|priya/);
    expect(await db('operator_actions').orderBy('id', 'desc').first()).toMatchObject({ action: 'logout' });
    await expect(db('operator_actions').delete()).rejects.toThrow('append only');
  });
});
