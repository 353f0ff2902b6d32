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

export async function isSessionThere(db: Database, sid: string): Promise<boolean> {
  return (await db('operator_sessions').where({ sid }).first('sid')) !== undefined;
}

/** Ends the session of one login, under every id that it had. */
export async function endLogin(db: Database, operatorId: string, startedAt: number): Promise<void> {
  await db('operator_sessions')
    .whereRaw(`sess->'operator'->>'id' = ? and sess->>'startedAt' = ?`, [operatorId, String(startedAt)])
    .delete();
}

/** Returns those of the session ids that exist and are not over. */
export async function findLiveSessions(
  db: Database,
  sids: string[],
  { startedAfter, replacedAfter }: { startedAfter: number; replacedAfter: number },
): Promise<Set<string>> {
  const rows = await query<{ sid: string }>(
    db,
    `select sid from operator_sessions where sid = any(:sids) and expire > now()
       and coalesce((sess->>'startedAt')::bigint, 0) > :startedAfter
       and coalesce((sess->>'replacedAt')::bigint > :replacedAfter, true)`,
    { sids, startedAfter, replacedAfter },
  );
  return new Set(rows.map(({ sid }) => sid));
}
