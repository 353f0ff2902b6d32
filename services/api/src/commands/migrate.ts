import { createDatabase } from '@site/platform/database/connect';
import { migrateDatabase } from '@site/platform/database/migrate';
import { errorMessage } from '@site/platform/logged-error';
import { readSettings, SettingsError } from '@site/platform/read-settings';
import { sharedSettings } from '@site/platform/settings';
import { z } from 'zod';
import { seedOperator } from '../admin/operators/operator.service.ts';

const settings = z.object({
  DATABASE_URL: sharedSettings.shape.DATABASE_URL,
  ADMIN_USERNAME: z.string().min(1).max(200).default('admin'),
  ADMIN_PASSWORD: z.string().min(8, 'it must have at least 8 characters').optional(),
});

/** Migrates the database and creates the first operator. Safe to run twice, and on several machines at once. */
async function run(): Promise<void> {
  const { DATABASE_URL, ADMIN_USERNAME, ADMIN_PASSWORD } = readSettings(settings, process.env);
  const db = createDatabase({
    url: DATABASE_URL,
    maxConnections: 3,
    statementTimeoutMs: 0,
    applicationName: 'migrate',
  });
  try {
    const applied = await migrateDatabase(db);
    console.log(applied.length > 0 ? `Applied ${applied.join(', ')}.` : 'The database is up to date.');
    const login = await seedOperator(db, { username: ADMIN_USERNAME, password: ADMIN_PASSWORD });
    if (login) {
      console.log('Created the first operator. The password is shown only once:');
      console.log(`username: ${login.username}`);
      console.log(`password: ${ADMIN_PASSWORD ? '(as set in ADMIN_PASSWORD)' : login.password}`);
    }
  } finally {
    await db.destroy();
  }
}

try {
  await run();
} catch (error) {
  console.error(
    error instanceof SettingsError ? error.message : `The database could not be migrated: ${errorMessage(error)}`,
  );
  process.exit(1);
}
