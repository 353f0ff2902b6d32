import { createDatabase } from '@site/platform/database/connect';
import type { Database } from '@site/platform/database/connect';
import { systemClock } from '@site/platform/process/clock';
import { errorMessage } from '@site/platform/process/logged-error';
import { readSettings, SettingsError } from '@site/platform/settings/read-settings';
import { sharedSettings } from '@site/platform/settings/settings';
import { z } from 'zod';
import {
  addOperator,
  listOperators,
  newPassword,
  removeOperator,
  resetPassword,
} from '../admin/operators/operators.ts';
import type { NoticeDeps } from '../admin/operators/security-notice.ts';

const USAGE = `Operators of the console:
  npm run admin:user -- list            the operators, their two-step login and latest login
  npm run admin:user -- add <name>      a new operator with a random password
  npm run admin:user -- reset <name>    lets an operator in again: a new random password, no
                                        two-step login, failed logins forgotten; ends all of
                                        their sessions
  npm run admin:user -- remove <name>   no more access; ends all of their sessions; the last
                                        operator stays`;

async function runAction(
  db: Database,
  action: string,
  username: string,
  notices: NoticeDeps,
): Promise<number> {
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
        await resetPassword(db, username, password, notices),
        username,
        password,
        `There is no operator "${username}". To make one: add.`,
      );
    case 'remove': {
      const result = await removeOperator(db, username);
      console.log(REMOVAL[result](username));
      return result === 'removed' ? 0 : 1;
    }
    default:
      return list(db);
  }
}

const REMOVAL = {
  removed: (name: string) => `Operator "${name}" is removed.`,
  unknown: (name: string) => `There is no operator "${name}".`,
  last: (name: string) =>
    `"${name}" is the only operator, and nobody else could sign in. Add another one first.`,
};

async function list(db: Database): Promise<number> {
  const operators = await listOperators(db);
  for (const { username, createdAt, twoStepLogin, lastLoginAt } of operators) {
    const facts = [
      `added ${createdAt.toISOString().slice(0, 10)}`,
      `two-step login ${twoStepLogin === null ? 'off' : 'on'}`,
      lastLoginAt === null
        ? 'never logged in'
        : `last login ${lastLoginAt.toISOString().slice(0, 16)}Z`,
    ];
    console.log(`${username}  (${facts.join(', ')})`);
  }
  return 0;
}

/** Returns valid arguments. Otherwise prints the usage, and returns the exit code. */
function readArguments(args: string[]): { action: string; username: string } | number {
  const [action = '', name = '', ...more] = args.filter((arg) => arg !== '--arguments-only');
  if (args.length === 0 || args.includes('--help') || args.includes('-h')) {
    console.log(USAGE);
    return 0;
  }
  const username = name.trim();
  const isUsable =
    more.length === 0 &&
    (action === 'list'
      ? username === ''
      : /^(?:add|reset|remove)$/.test(action) && username !== '');
  if (isUsable) return args.includes('--arguments-only') ? 0 : { action, username };
  console.error(USAGE);
  return 2;
}

function report(isDone: boolean, username: string, password: string, refusal: string): number {
  console.log(isDone ? `username: ${username}\npassword: ${password}` : refusal);
  return isDone ? 0 : 1;
}

try {
  const given = readArguments(process.argv.slice(2));
  if (typeof given === 'number') process.exitCode = given;
  else {
    const { DATABASE_URL, SMTP_URL, PUBLIC_URL } = readSettings(
      z.object({
        DATABASE_URL: sharedSettings.shape.DATABASE_URL,
        SMTP_URL: z.string().optional(),
        PUBLIC_URL: z.string().default(''),
      }),
      process.env,
    );
    const notices = {
      clock: systemClock,
      settings: { publicUrl: PUBLIC_URL, mail: SMTP_URL ?? null },
    };
    const db = createDatabase({
      url: DATABASE_URL,
      maxConnections: 1,
      applicationName: 'admin-user',
    });
    try {
      process.exitCode = await runAction(db, given.action, given.username, notices);
    } finally {
      await db.destroy();
    }
  }
} catch (error) {
  console.error(
    error instanceof SettingsError
      ? error.message
      : `The operator could not be changed: ${errorMessage(error)}`,
  );
  process.exitCode = 1;
}
