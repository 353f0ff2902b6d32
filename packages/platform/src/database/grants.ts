import { escapeIdentifier } from 'pg';
import type { Database } from './connect.ts';
import { query, queryOne } from './query.ts';

/** For people and reports: may read everything but what opens the console. */
export const READ_ONLY_ROLE = 'site_read_only';

const SECRET_TABLES = ['users', 'operator_sessions', 'operator_recovery_codes', 'login_failures'];

/**
 * Grants the role of API and worker what they need: rows, but no table, no TRUNCATE, and no change of what is on record.
 * Also creates the read-only role. Run it as the owner, after migrating. Safe to repeat.
 */
export async function grantRoles(db: Database, appRole: string): Promise<void> {
  const { schema, owner } = await queryOne<{ schema: string; owner: string }>(
    db,
    'select current_schema() as schema, current_user as owner',
  );
  if (appRole === owner) throw new Error(`MIGRATE_DATABASE_URL and DATABASE_URL have the same role, "${owner}"`);
  const [app, reader, inSchema] = [appRole, READ_ONLY_ROLE, schema].map((name) => escapeIdentifier(name));
  await db.transaction(async (trx) => {
    for (const statement of [
      `do $$ begin create role ${reader} nologin; exception when duplicate_object then null; end $$`,
      `grant usage on schema ${inSchema} to ${app}, ${reader}`,
      `revoke all on all tables in schema ${inSchema} from ${app}, ${reader}`,
      `grant select, insert, update, delete on all tables in schema ${inSchema} to ${app}`,
      `grant usage on all sequences in schema ${inSchema} to ${app}`,
      `revoke update, delete on operator_actions from ${app}`,
      `revoke insert, update, delete on knex_migrations, knex_migrations_lock from ${app}`,
      `grant select on all tables in schema ${inSchema} to ${reader}`,
      `revoke select on ${SECRET_TABLES.join(', ')} from ${reader}`,
    ]) {
      await query(trx, statement);
    }
  });
}
