import type { z } from 'zod';
import { createDatabase } from '../database/connect.ts';
import type { Database } from '../database/connect.ts';
import { systemClock } from '../process/clock.ts';
import type { Clock } from '../process/clock.ts';
import { errorMessage } from '../process/logged-error.ts';
import { readFlags } from '../settings/read-flags.ts';
import { readSettings, SettingsError } from '../settings/read-settings.ts';

const DOCTOR_USAGE = `Checks everything outside the code that can be wrong, and says what to do.
Changes nothing.
  npm run doctor
  npm run doctor -- --json   prints one finding a line
Exit code: 0 nothing to fix, 1 something to fix.`;

export type Level = 'ok' | 'warning' | 'error';

export type Finding = {
  /** The subject of the check, in a word or two. */
  check: string;
  level: Level;
  message: string;
  /** The remedy in one line. Null if there is nothing to do. */
  remedy: string | null;
};

export type Check = () => Promise<Finding[]>;

export function ok(check: string, message: string): Finding {
  return { check, level: 'ok', message, remedy: null };
}

export function warning(check: string, message: string, remedy: string): Finding {
  return { check, level: 'warning', message, remedy };
}

export function error(check: string, message: string, remedy: string): Finding {
  return { check, level: 'error', message, remedy };
}

/** Checks a process's surroundings. If its settings are unusable, reports only their failures. */
export async function examine<Settings extends { databaseUrl: string }>(
  check: string,
  schema: z.ZodType<Settings>,
  env: NodeJS.ProcessEnv,
  toChecks: (settings: Settings, db: Database) => Record<string, Check>,
): Promise<Finding[]> {
  let settings: Settings;
  try {
    settings = readSettings(schema, env);
  } catch (failure) {
    if (!(failure instanceof SettingsError)) throw failure;
    const remedy = 'Set it in .env or the environment; .env.example describes every setting.';
    return failure.message.split('\n').map((sentence) => error(check, sentence, remedy));
  }
  const db = createDatabase({
    url: settings.databaseUrl,
    maxConnections: 2,
    applicationName: 'doctor',
  });
  try {
    return await runChecks(toChecks(settings, db));
  } finally {
    await db.destroy();
  }
}

/** Runs the checks in order. A check that throws becomes a finding, and the others still run. */
export async function runChecks(checks: Record<string, Check>): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [name, check] of Object.entries(checks)) {
    try {
      findings.push(...(await check()));
    } catch (failure) {
      findings.push(
        error(
          name,
          `could not be checked: ${errorMessage(failure)}`,
          'Correct what the message says, then run this again.',
        ),
      );
    }
  }
  return findings;
}

const SIGNS: Record<Level, string> = { ok: '✓', warning: '!', error: '✗' };

/**
 * Formats the findings as text, with a second line for the remedy, or as one JSON object a line.
 */
export function formatFindings(findings: Finding[], asJson: boolean): string {
  if (asJson) return findings.map((finding) => JSON.stringify(finding)).join('\n');
  return findings
    .map(({ check, level, message, remedy }) => {
      const line = `${SIGNS[level]} ${level.padEnd(7)}  ${check}: ${message}`;
      return remedy === null ? line : `${line}\n             → ${remedy}`;
    })
    .join('\n');
}

/** Runs one half of `npm run doctor`: prints the findings and sets the exit code. */
export async function runDoctor(
  examine: (env: NodeJS.ProcessEnv, clock: Clock) => Promise<Finding[]>,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const flags = readFlags(DOCTOR_USAGE, { json: { type: 'boolean' } });
  try {
    const findings = await examine(env, systemClock);
    process.stdout.write(`${formatFindings(findings, flags.json ?? false)}\n`);
    // A warning must not stop a script.
    process.exitCode = findings.some(({ level }) => level === 'error') ? 1 : 0;
  } catch (error) {
    process.stderr.write(`${errorMessage(error)}\n`);
    process.exitCode = 1;
  }
}
