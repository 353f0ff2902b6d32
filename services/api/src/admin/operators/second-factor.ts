import type { Clock } from '@site/platform/clock';
import type { Database } from '@site/platform/database/connect';
import type { UserRow } from '@site/platform/database/tables';
import { createHash, randomBytes } from 'node:crypto';
import { seal, unseal } from './sealed-text.ts';
import {
  listSecondFactors,
  replaceRecoveryCodes,
  replaceSecondFactor,
  storeSecondFactor,
  useRecoveryCode,
  useStep,
} from './second-factor.repository.ts';
import { findStep, toBase32 } from './totp.ts';

/*
 * The second factor: codes of an authenticator app, and recovery codes for the day the phone is lost. The app's secret is
 * encrypted with SESSION_SECRET; recovery codes have 80 random bits, so a plain hash is enough.
 */

const PURPOSE = 'second factor';
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 10;

type Secrets = { sessionSecrets: readonly string[] };
type Deps = { db: Database; clock: Clock; settings: Secrets };

const hashOf = (code: string) => createHash('sha256').update(code).digest('hex');
/** As typed: in any case, with or without what separates its groups. */
const tidy = (code: string) => code.replaceAll(/[\s-]/g, '').toUpperCase();

/** Creates an app's secret, sealed. It counts for nothing until a code has confirmed it. */
export function newSecondFactor({ sessionSecrets }: Secrets): { sealed: string; secret: Buffer } {
  const secret = randomBytes(SECRET_BYTES);
  return { secret, sealed: seal(sessionSecrets, PURPOSE, secret.toString('base64url')) };
}

function openSecret({ sessionSecrets }: Secrets, sealed: string): Buffer | null {
  const secret = unseal(sessionSecrets, PURPOSE, sealed);
  return secret === null ? null : Buffer.from(secret, 'base64url');
}

/** Encrypts with the first secret what an older one has encrypted, so that the older one can be removed. */
export async function resealSecondFactors(db: Database, sessionSecrets: readonly string[]): Promise<void> {
  for (const { id, secondFactor } of await listSecondFactors(db)) {
    const [first = '', ...older] = sessionSecrets;
    if (unseal([first], PURPOSE, secondFactor) !== null) continue;
    const secret = unseal(older, PURPOSE, secondFactor);
    if (secret !== null) await replaceSecondFactor(db, id, secondFactor, seal([first], PURPOSE, secret));
  }
}

/** Checks a code of the app or a recovery code, and uses it up: each works once. */
export async function checkSecondFactor(deps: Deps, operator: UserRow, code: string): Promise<boolean> {
  const given = tidy(code);
  const secret = operator.secondFactor === null ? null : openSecret(deps.settings, operator.secondFactor);
  const step = secret && findStep(secret, given, deps.clock.now());
  if (step !== null) return useStep(deps.db, operator.id, step);
  return useRecoveryCode(deps.db, operator.id, hashOf(given));
}

/**
 * Turns a new second factor on if the code is its app's. Returns the recovery codes, which are never shown again, or
 * null for a wrong code.
 */
export async function confirmSecondFactor(
  { db, clock, settings }: Deps,
  operatorId: string,
  sealed: string,
  code: string,
): Promise<string[] | null> {
  const secret = openSecret(settings, sealed);
  const step = secret && findStep(secret, tidy(code), clock.now());
  if (step === null) return null;
  await storeSecondFactor(db, operatorId, sealed, step);
  return renewRecoveryCodes(db, operatorId);
}

/** Replaces the recovery codes, used or not, and returns the new ones. */
export async function renewRecoveryCodes(db: Database, operatorId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => toBase32(randomBytes(RECOVERY_BYTES)));
  await replaceRecoveryCodes(db, operatorId, codes.map(hashOf));
  return codes.map((code) => (code.match(/.{4}/g) ?? []).join('-'));
}

export async function removeSecondFactor(db: Database, operatorId: string): Promise<void> {
  await storeSecondFactor(db, operatorId, null, null);
  await replaceRecoveryCodes(db, operatorId, []);
}
