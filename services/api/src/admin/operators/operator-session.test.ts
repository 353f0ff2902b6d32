import { openTransaction } from '@site/testing/builders';
import type { Database } from '@site/platform/database/connect';
import { describe, expect } from 'vitest';
import { OPERATOR, test } from '../../testing/api.fixture.ts';
import type { Api } from '../../testing/api.fixture.ts';
import { addOperator, removeOperator, resetPassword } from './operator.service.ts';

const HOUR_MS = 3_600_000;
const me = (api: Api, headers: Record<string, string>) => api.call('GET', '/api/admin/me', { headers });
const later = (api: Api, ms: number) => api.clock.moveTo(new Date(api.clock.now().getTime() + ms));

describe('an operator’s session', () => {
  test('gets a new id every hour; the old one lasts one more minute', async ({ api }) => {
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

  test('keeps its new id when a late answer still carries the old one', async ({ api }) => {
    const old = await api.logIn();
    later(api, HOUR_MS + 1_000);
    const answers = await Promise.all(Array.from({ length: 6 }, () => me(api, old)));
    answers.push(await me(api, old));

    const given = answers.map(({ headers }) => headers.get('set-cookie')?.split(';')[0]).filter(Boolean);
    expect(given).toHaveLength(1);
    expect(given).not.toContain(old['Cookie']);
  });

  test('ends after a week, even in use', async ({ api }) => {
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

  test('is not created if the password changes meanwhile', async ({ api, db, onTestFinished }) => {
    await api.logIn();
    // The change is held at its commit, after it ended every session.
    const change = await openTransaction(db);
    onTestFinished(async () => void (change.isCompleted() || (await change.rollback())));
    await resetPassword(change, OPERATOR.username, 'another one');
    const login = api.call('POST', '/api/admin/login', { body: OPERATOR });
    await expect.poll(async () => (await countWaiting(db)) > 0).toBe(true);
    await change.commit();

    expect((await login).status).toBe(401);
    expect(await db('operator_sessions').select()).toEqual([]);
  });

  test('ends if the password changes while its id is replaced', async ({ api, db, onTestFinished }) => {
    const old = await api.logIn();
    later(api, HOUR_MS + 1_000);
    const change = await openTransaction(db);
    onTestFinished(async () => void (change.isCompleted() || (await change.rollback())));
    // The change is half done: it has not reached the sessions.
    await change('users').update({ password: 'another one' });
    const call = me(api, old);
    await expect.poll(async () => (await countWaiting(db)) > 0).toBe(true);
    await change('operator_sessions').delete();
    await change.commit();

    expect((await call).status).toBe(401);
    expect(await db('operator_sessions').select()).toEqual([]);
  });

  test('ends at sign-out under every id that it had', async ({ api }) => {
    const old = await api.logIn();
    later(api, HOUR_MS + 1_000);
    const fresh = { Cookie: (await me(api, old)).headers.get('set-cookie')!.split(';')[0]! };

    await api.call('POST', '/api/admin/logout', { headers: fresh });

    expect((await me(api, old)).status).toBe(401);
    expect((await me(api, fresh)).status).toBe(401);
  });
});

/** Counts statements that wait for a lock. */
async function countWaiting(db: Database): Promise<number> {
  const { rows } = await db.raw(
    `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0].count;
}

describe('the audit log', () => {
  test('records who did what, and cannot be changed', async ({ api, db }) => {
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
