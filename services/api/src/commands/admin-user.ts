import { createDatabase } from '@site/platform/database/connect';
import type { Database } from '@site/platform/database/connect';
import { errorMessage } from '@site/platform/logged-error';
import { readSettings, SettingsError } from '@site/platform/read-settings';
import { sharedSettings } from '@site/platform/settings';
import { z } from 'zod';
import { addOperator, newPassword, removeOperator, resetPassword } from '../admin/operators/operator.service.ts';

const USAGE = `Operators of the console:
  npm run admin:user -- add <name>      a new operator with a random password
  npm run admin:user -- reset <name>    a new random password; ends all of their sessions
  npm run admin:user -- remove <name>   no more access; ends all of their sessions`;

/** Runs one subcommand and prints the result. Returns the exit code. */
async function runAction(db: Database, action: string | undefined, username: string | undefined): Promise<number> {
  if (!username) {
    console.log(USAGE);
    return action === undefined ? 0 : 1;
  }
  const password = newPassword();
  switch (action) {
    case 'add':
      return report(
        await addOperator(db, username, password),
        username,
        password,
        `There is an operator "${username}" already. To give a new password: reset.`,
      );
    case 'reset':
      return report(
        await resetPassword(db, username, password),
        username,
        password,
        `There is no operator "${username}". To make one: add.`,
      );
    case 'remove': {
      const isRemoved = await removeOperator(db, username);
      console.log(isRemoved ? `Operator "${username}" is removed.` : `There is no operator "${username}".`);
      return isRemoved ? 0 : 1;
    }
    default:
      console.log(USAGE);
      return 1;
  }
}

function report(isDone: boolean, username: string, password: string, refusal: string): number {
  console.log(isDone ? `username: ${username}\npassword: ${password}` : refusal);
  return isDone ? 0 : 1;
}

try {
  const { DATABASE_URL } = readSettings(z.object({ DATABASE_URL: sharedSettings.shape.DATABASE_URL }), process.env);
  const db = createDatabase({ url: DATABASE_URL, maxConnections: 1, applicationName: 'admin-user' });
  const [action, username] = process.argv.slice(2);
  try {
    process.exitCode = await runAction(db, action, username?.trim());
  } finally {
    await db.destroy();
  }
} catch (error) {
  console.error(
    error instanceof SettingsError ? error.message : `The operator could not be changed: ${errorMessage(error)}`,
  );
  process.exitCode = 1;
}
