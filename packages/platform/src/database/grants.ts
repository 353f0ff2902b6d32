import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { escapeIdentifier, escapeLiteral } from 'pg';
import { createDatabase } from './connect.ts';
import type { Database } from './connect.ts';
import { query, queryOne, runScript } from './query.ts';

/** For people and reports: may read everything except operators, sessions and their secrets. */
export const READ_ONLY_ROLE = 'site_read_only';

/** Postgres's codes for a missing role or wrong password, and for a right that the owner lacks. */
const CANNOT_SIGN_IN = ['28P01', '28000'];
const NOT_ALLOWED = '42501';

/**
 * Lets the role of API and worker sign in at `appUrl`, and runs `grants` for it and the read-only
 * role. Creates missing roles, and gives the first the URL's password if it has another. Run it as
 * the owner, in a transaction.
 */
export async function grantRoles(trx: Database, appUrl: string, grants: string): Promise<void> {
  const { username, password } = new URL(appUrl);
  const app = decodeURIComponent(username);
  const { schema, owner } = await queryOne<{ schema: string; owner: string }>(
    trx,
    'select current_schema() as schema, current_user as owner',
  );
  if (app === owner)
    throw new Error(`MIGRATE_DATABASE_URL and DATABASE_URL have the same role, "${owner}"`);
  if (!(await canConnect(appUrl))) await giveLogin(trx, app, decodeURIComponent(password));
  await query(trx, createMissing(READ_ONLY_ROLE));
  // As psql writes a variable that is an identifier.
  const names: Record<string, string> = { schema, app, reader: READ_ONLY_ROLE };
  const named = grants.replaceAll(/:"(\w+)"/g, (_, name: string) =>
    escapeIdentifier(names[name] ?? ''),
  );
  await runScript(trx, named);
}

const createMissing = (role: string) =>
  `do $do$ begin create role ${escapeIdentifier(role)}; exception when duplicate_object then null; end $do$`;

async function giveLogin(trx: Database, role: string, password: string): Promise<void> {
  const login = `alter role ${escapeIdentifier(role)} login password ${escapeLiteral(scramVerifier(password))}`;
  try {
    for (const statement of [createMissing(role), login]) await query(trx, statement);
  } catch (cause) {
    if ((cause as { code?: string }).code !== NOT_ALLOWED) throw cause;
    const message = `the role "${role}" of DATABASE_URL cannot sign in, and that of MIGRATE_DATABASE_URL may not create it or change its password (CREATEROLE)`;
    throw new Error(message, { cause });
  }
}

const ITERATIONS = 4_096;

/**
 * Turns a password into Postgres's stored form (RFC 5802), as psql's \password does: a statement
 * with the password itself could stay in the server's log.
 */
function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, ITERATIONS, 32, 'sha256');
  const sign = (text: string) => createHmac('sha256', salted).update(text).digest();
  const storedKey = createHash('sha256').update(sign('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${storedKey}:${sign('Server Key').toString('base64')}`;
}

async function canConnect(url: string): Promise<boolean> {
  const db = createDatabase({ url, maxConnections: 1, applicationName: 'migrate' });
  try {
    await query(db, 'select 1');
    return true;
  } catch (error) {
    if (CANNOT_SIGN_IN.includes(String((error as { code?: unknown }).code))) return false;
    throw error;
  } finally {
    await db.destroy();
  }
}
