import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';

/** Records that a session id was replaced. Returns false if it was replaced already. */
export async function markReplaced(db: Database, sid: string, atMs: number): Promise<boolean> {
  const rows = await query<{ sid: string }>(
    db,
    `update operator_sessions set sess = jsonb_set(sess::jsonb, '{replacedAt}', to_jsonb(:atMs::bigint))::json
     where sid = :sid and sess->>'replacedAt' is null returning sid`,
    { sid, atMs },
  );
  return rows.length > 0;
}

/** Returns when the session was last used, or null if it is gone. */
export async function findLastUse(db: Database, sid: string): Promise<Date | null> {
  const row = await db('operator_sessions').where({ sid }).first<{ usedAt: Date } | undefined>('usedAt');
  return row?.usedAt ?? null;
}

/** Beside the session's own data, so that simultaneous calls do not overwrite each other's. */
export async function recordUse(db: Database, sid: string, at: Date): Promise<void> {
  await db('operator_sessions').where({ sid }).update({ usedAt: at });
}

/** Ends the session of one login, under every id that it had. */
export async function endLogin(db: Database, operatorId: string, login: string): Promise<void> {
  await db('operator_sessions')
    .whereRaw(`sess->'operator'->>'id' = ? and sess->>'login' = ?`, [operatorId, login])
    .delete();
}

export type SessionTimes = { startedAfter: number; replacedAfter: number; usedAfter: Date };

const IS_LIVE = `expire > now() and used_at > :usedAfter
  and coalesce((sess->>'startedAt')::bigint, 0) > :startedAfter
  and coalesce((sess->>'replacedAt')::bigint > :replacedAfter, true)`;

/** Returns those of the session ids that exist and are not over. */
export async function findLiveSessions(db: Database, sids: string[], times: SessionTimes): Promise<Set<string>> {
  const rows = await query<{ sid: string }>(
    db,
    `select sid from operator_sessions where sid = any(:sids) and ${IS_LIVE}`,
    { sids, ...times },
  );
  return new Set(rows.map(({ sid }) => sid));
}

export type OpenSession = { login: string; startedAt: number; usedAt: Date; browser: string | null };

/** Lists an operator's logins that are not over, the latest first. */
export async function listOpenSessions(db: Database, operatorId: string, times: SessionTimes): Promise<OpenSession[]> {
  return query<OpenSession>(
    db,
    `select sess->>'login' as login, min((sess->>'startedAt')::bigint) as started_at, max(used_at) as used_at,
       max(sess->>'browser') as browser
     from operator_sessions where sess->'operator'->>'id' = :operatorId and ${IS_LIVE}
     group by 1 order by started_at desc`,
    { operatorId, ...times },
  );
}
