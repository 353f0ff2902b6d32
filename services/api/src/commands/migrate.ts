import { checkDatabase } from '@site/platform/database/check-database';
import { createDatabase } from '@site/platform/database/connect';
import type { Database } from '@site/platform/database/connect';
import { migrateDatabase } from '@site/platform/database/migrate';
import { codeOf, errorMessage } from '@site/platform/process/logged-error';
import { readFlags } from '@site/platform/settings/read-flags';
import { readSettings, SettingsError } from '@site/platform/settings/read-settings';
import { sharedSettings } from '@site/platform/settings/settings';
import { writeFileSync } from 'node:fs';
import { z } from 'zod';
import { countOperators, seedOperator, findPasswordError } from '../admin/operators/operators.ts';

const USAGE = `Updates the database, and creates the first operator if there is none.
Safe to run twice.
  npm run migrate
  --login-file <path>   writes the first operator's login to this file instead of printing it`;

const settings = z
  .object({
    DATABASE_URL: sharedSettings.shape.DATABASE_URL,
    MIGRATE_DATABASE_URL: sharedSettings.shape.DATABASE_URL.optional(),
    NODE_ENV: sharedSettings.shape.NODE_ENV,
    ADMIN_USERNAME: z.string().min(1).max(200).default('admin'),
    ADMIN_PASSWORD: z.string().optional(),
  })
  .superRefine(({ ADMIN_PASSWORD, ADMIN_USERNAME }, ctx) => {
    const failure =
      ADMIN_PASSWORD === undefined ? null : findPasswordError(ADMIN_PASSWORD, ADMIN_USERNAME);
    if (failure !== null)
      ctx.addIssue({ code: 'custom', path: ['ADMIN_PASSWORD'], message: failure });
  });

async function run(loginFile: string | undefined): Promise<void> {
  const given = readSettings(settings, process.env);
  const db = createDatabase({
    url: given.MIGRATE_DATABASE_URL ?? given.DATABASE_URL,
    maxConnections: 3,
    statementTimeoutMs: 3_600_000,
    applicationName: 'migrate',
  });
  try {
    await checkDatabase(db);
    const applied = await migrateDatabase(db, {
      appUrl: given.MIGRATE_DATABASE_URL === undefined ? undefined : given.DATABASE_URL,
      onBlocked: (by) =>
        console.log(
          `Another session uses a table that the migration needs, probably ${by}. It tries ` +
            'again in 3 s.',
        ),
    });
    console.log(
      applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The database is up to date.',
    );
    await createFirstOperator(db, given, loginFile);
  } finally {
    await db.destroy();
  }
}

async function createFirstOperator(
  db: Database,
  { NODE_ENV, ADMIN_USERNAME: username, ADMIN_PASSWORD: password }: z.output<typeof settings>,
  loginFile: string | undefined,
): Promise<void> {
  // A container's output stays in its log, which many people can read in production.
  const isLogged = NODE_ENV === 'production' && !process.stdout.isTTY && loginFile === undefined;
  if (isLogged && password === undefined) {
    if ((await countOperators(db)) > 0) return;
    console.log(
      'There is no operator yet. Create one: node services/api/dist/commands/admin-user.js ' +
        'add <name>',
    );
    return;
  }
  const login = await seedOperator(db, { username, password });
  if (!login) return;
  const shown =
    `username: ${login.username}\npassword: ` +
    `${password ? '(as set in ADMIN_PASSWORD)' : login.password}\n`;
  if (loginFile !== undefined) writeFileSync(loginFile, shown, { mode: 0o600 });
  else
    console.log(`Created the first operator. The password is shown only once:\n${shown.trimEnd()}`);
}

const flags = readFlags(USAGE, { 'login-file': { type: 'string' } });
try {
  await run(flags['login-file']);
} catch (error) {
  console.error(
    error instanceof SettingsError
      ? error.message
      : `The database could not be migrated: ${errorMessage(error)}`,
  );
  if (codeOf(error) === '28P01') {
    console.error(
      'A new password in the settings is not yet the one that Postgres knows: see "Changing a ' +
        'secret" in docs/update.md.',
    );
  }
  process.exit(1);
}
