import type { Clock } from '@site/platform/process/clock';
import type { Database } from '@site/platform/database/connect';
import type { UserRow } from '@site/platform/database/tables';
import { createHash } from 'node:crypto';
import { generateSecret, verifySync } from 'otplib';
import { seal, unseal } from './sealed-text.ts';
import {
  listSecondFactors,
  replaceRecoveryCodes,
  replaceSecondFactor,
  storeSecondFactor,
  useRecoveryCode,
  useStep,
} from './second-factor.repository.ts';

/*
 * The second factor: codes of an authenticator app, and recovery codes for the day the phone is lost. The app's secret is
 * encrypted with SESSION_SECRET; recovery codes have 120 random bits, so a plain hash is enough. The codes are what every
 * app expects, and otplib's defaults: SHA-1, 30 seconds, six digits.
 */

const PURPOSE = 'second factor';
/** A phone's clock may be one time step ahead or behind. */
const DRIFT_SECONDS = 30;
const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 15;

type Secrets = { sessionSecrets: readonly string[] };
type Deps = { db: Database; clock: Clock; settings: Secrets };

const hashOf = (code: string) => createHash('sha256').update(code).digest('hex');
/** As typed: in any case, with or without what separates its groups. */
const tidy = (code: string) => code.replaceAll(/[\s-]/g, '').toUpperCase();

/** Creates an app's secret, in base32 and sealed. It counts for nothing until a code has confirmed it. */
export function newSecondFactor({ sessionSecrets }: Secrets): { sealed: string; secret: string } {
  const secret = generateSecret();
  return { secret, sealed: seal(sessionSecrets, PURPOSE, secret) };
}

/** Returns the time step whose code this is, or null if the code is not valid now. */
function findStep({ sessionSecrets }: Secrets, sealed: string, code: string, now: Date): number | null {
  const secret = unseal(sessionSecrets, PURPOSE, sealed);
  // otplib throws for anything but six digits.
  if (secret === null || !/^\d{6}$/.test(code)) return null;
  const epoch = now.getTime() / 1_000;
  const found = verifySync({ secret, token: code, epoch, epochTolerance: DRIFT_SECONDS });
  return found.valid && 'timeStep' in found ? found.timeStep : null;
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
  const sealed = operator.secondFactor;
  const step = sealed === null ? null : findStep(deps.settings, sealed, given, deps.clock.now());
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
  const step = findStep(settings, sealed, tidy(code), clock.now());
  if (step === null) return null;
  await storeSecondFactor(db, operatorId, sealed, step);
  return renewRecoveryCodes(db, operatorId);
}

/** Replaces the recovery codes, used or not, and returns the new ones. */
export async function renewRecoveryCodes(db: Database, operatorId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => generateSecret({ length: RECOVERY_BYTES }));
  await replaceRecoveryCodes(db, operatorId, codes.map(hashOf));
  return codes.map((code) => (code.match(/.{4}/g) ?? []).join('-'));
}

export async function removeSecondFactor(db: Database, operatorId: string): Promise<void> {
  await storeSecondFactor(db, operatorId, null, null);
  await replaceRecoveryCodes(db, operatorId, []);
}
