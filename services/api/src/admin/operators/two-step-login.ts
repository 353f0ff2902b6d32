import type { Clock } from '@site/platform/process/clock';
import type { Database } from '@site/platform/database/connect';
import type { UserRow } from '@site/platform/database/tables';
import { createHash } from 'node:crypto';
import { generateSecret, verifySync } from 'otplib';
import { seal, unseal } from './sealed-text.ts';

/*
 * Two-step login: codes of an authenticator app, and recovery codes for a lost phone. The app's
 * secret is encrypted with SESSION_SECRET. Recovery codes have 120 random bits, so a plain hash is
 * enough. The codes are otplib's defaults, which every app expects: SHA-1, 30 seconds, six digits.
 */

const PURPOSE = 'two-step login';
/** A phone's clock may be one time step ahead or behind. */
const DRIFT_SECONDS = 30;
const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 15;

type Secrets = { sessionSecrets: readonly string[] };
type Deps = { db: Database; clock: Clock; settings: Secrets };

const hashOf = (code: string) => createHash('sha256').update(code).digest('hex');
/** Accepts a code in any case, with or without separators between its groups. */
const tidy = (code: string) => code.replaceAll(/[\s-]/g, '').toUpperCase();

/** Creates an app's secret, in base32 and sealed. It takes effect once a code confirms it. */
export function newTwoStepLogin({ sessionSecrets }: Secrets): { sealed: string; secret: string } {
  const secret = generateSecret();
  return { secret, sealed: seal(sessionSecrets, PURPOSE, secret) };
}

/** Returns the time step of a code, or null if the code is not valid now. */
function findStep(
  { sessionSecrets }: Secrets,
  sealed: string,
  code: string,
  now: Date,
): number | null {
  const secret = unseal(sessionSecrets, PURPOSE, sealed);
  // otplib throws for anything but six digits.
  if (secret === null || !/^\d{6}$/.test(code)) return null;
  const epoch = now.getTime() / 1_000;
  const verified = verifySync({ secret, token: code, epoch, epochTolerance: DRIFT_SECONDS });
  return verified.valid && 'timeStep' in verified ? verified.timeStep : null;
}

/**
 * Encrypts the secrets again with the first session secret, so that older session secrets can be
 * removed.
 */
export async function resealTwoStepLogins(
  db: Database,
  sessionSecrets: readonly string[],
): Promise<void> {
  const [first = '', ...older] = sessionSecrets;
  const operators = await db('users').whereNotNull('twoStepLogin').select('id', 'twoStepLogin');
  for (const { id, twoStepLogin } of operators) {
    if (unseal([first], PURPOSE, twoStepLogin) !== null) continue;
    const secret = unseal(older, PURPOSE, twoStepLogin);
    if (secret === null) continue;
    // Skips a secret that has changed since it was read.
    await db('users')
      .where({ id, twoStepLogin })
      .update({ twoStepLogin: seal([first], PURPOSE, secret) });
  }
}

/** Checks a code of the app or a recovery code, and uses it up, because each works once. */
export async function checkTwoStepLogin(
  deps: Deps,
  operator: UserRow,
  code: string,
): Promise<boolean> {
  const given = tidy(code);
  const sealed = operator.twoStepLogin;
  const step = sealed === null ? null : findStep(deps.settings, sealed, given, deps.clock.now());
  const { db } = deps;
  const used = await (step === null
    ? db('users')
        .where({ id: operator.id })
        .whereRaw('? = any(recovery_codes)', [hashOf(given)])
        .update({ recoveryCodes: db.raw('array_remove(recovery_codes, ?)', [hashOf(given)]) })
    : db('users')
        .where({ id: operator.id })
        .whereRaw('coalesce(two_step_login_step, 0) < ?', [step])
        .update({ twoStepLoginStep: step }));
  return used === 1;
}

/**
 * Turns a new two-step login on if the code is its app's. Returns the recovery codes, which are
 * never shown again, or null for a wrong code.
 */
export async function confirmTwoStepLogin(
  { db, clock, settings }: Deps,
  operatorId: string,
  sealed: string,
  code: string,
): Promise<string[] | null> {
  const step = findStep(settings, sealed, tidy(code), clock.now());
  if (step === null) return null;
  await db('users')
    .where({ id: operatorId })
    .update({ twoStepLogin: sealed, twoStepLoginStep: step });
  return renewRecoveryCodes(db, operatorId);
}

/** Replaces the recovery codes, used or not, and returns the new ones. */
export async function renewRecoveryCodes(db: Database, operatorId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    generateSecret({ length: RECOVERY_BYTES }),
  );
  await db('users')
    .where({ id: operatorId })
    .update({ recoveryCodes: codes.map(hashOf) });
  return codes.map((code) => (code.match(/.{4}/g) ?? []).join('-'));
}

export async function removeTwoStepLogin(db: Database, operatorId: string): Promise<void> {
  await db('users')
    .where({ id: operatorId })
    .update({ twoStepLogin: null, twoStepLoginStep: null, recoveryCodes: [] });
}
