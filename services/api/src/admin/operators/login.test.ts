import { openTransaction } from '@site/testing/builders';
import type { Database } from '@site/platform/database/connect';
import { describe, expect } from 'vitest';
import { OPERATOR, test } from '../../testing/api.fixture.ts';
import { addOperator } from './operator.service.ts';

describe('the limit of failed logins', () => {
  test('applies to simultaneous guesses: a right one among them comes too late', async ({
    api,
    db,
    onTestFinished,
  }) => {
    await addOperator(db, OPERATOR.username, OPERATOR.password);
    const guess = async (password: string) =>
      (await api.call('POST', '/api/admin/login', { body: { ...OPERATOR, password } })).status;
    const held = await openTransaction(db);
    onTestFinished(async () => void (held.isCompleted() || (await held.rollback())));
    await held.raw('lock table users in access exclusive mode');
    const wrong = Array.from({ length: 8 }, (_, n) => guess(`guess ${n}`));
    await expect.poll(() => countWaiting(db)).toBeGreaterThan(0);
    await api.call('GET', '/api/admin/me');
    const right = guess(OPERATOR.password);
    await api.call('GET', '/api/admin/me');
    await held.commit();

    expect(await right).toBe(429);
    expect((await Promise.all(wrong)).filter((status) => status === 401)).toHaveLength(5);
  });

  test('counts per account, however its name is written and wherever the guesses come from', async ({ newApi }) => {
    const api = await newApi({ TRUST_PROXY: '1' });
    await addOperator(api.deps.db, OPERATOR.username, OPERATOR.password);
    const statuses: number[] = [];
    for (const [n, username] of ['j.holt', 'J.HOLT', 'j.holt\0', '\0j.holt', 'j.\0holt', 'j.\uD800holt'].entries()) {
      const { status } = await api.call('POST', '/api/admin/login', {
        body: { username, password: 'guess' },
        headers: { 'X-Forwarded-For': `192.0.2.${n + 1}` },
      });
      statuses.push(status);
    }

    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
  });
});

/** Counts statements that wait for a lock. */
async function countWaiting(db: Database): Promise<number> {
  const { rows } = await db.raw(
    `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return rows[0].count;
}
