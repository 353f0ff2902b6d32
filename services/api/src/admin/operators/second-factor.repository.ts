import type { Database } from '@site/platform/database/connect';
import type { UserRow } from '@site/platform/database/tables';

/** Records the use of a code's time step. Returns false if it, or a later one, was used already. */
export async function useStep(db: Database, operatorId: string, step: number): Promise<boolean> {
  const changed = await db<UserRow>('users')
    .where({ id: operatorId })
    .whereRaw('coalesce(second_factor_step, 0) < ?', [step])
    .update({ secondFactorStep: step });
  return changed === 1;
}

/** Uses up a recovery code. Returns false if there is no such code, or it was used already. */
export async function useRecoveryCode(db: Database, operatorId: string, codeHash: string): Promise<boolean> {
  const changed = await db('operator_recovery_codes')
    .where({ operatorId, codeHash, usedAt: null })
    .update({ usedAt: db.fn.now() });
  return changed === 1;
}

export async function countRecoveryCodes(db: Database, operatorId: string): Promise<number> {
  const [row] = await db('operator_recovery_codes').where({ operatorId, usedAt: null }).count<{ count: number }[]>();
  return row?.count ?? 0;
}

/** Stores the sealed secret, or removes it if null. */
export async function storeSecondFactor(
  db: Database,
  operatorId: string,
  secondFactor: string | null,
  step: number | null,
): Promise<void> {
  await db<UserRow>('users').where({ id: operatorId }).update({ secondFactor, secondFactorStep: step });
}

/** Lists the sealed secrets of all operators. */
export async function listSecondFactors(db: Database): Promise<{ id: string; secondFactor: string }[]> {
  return db('users').whereNotNull('secondFactor').select('id', 'secondFactor');
}

/** Replaces a sealed secret, unless it has changed since it was read. */
export async function replaceSecondFactor(db: Database, id: string, from: string, to: string): Promise<void> {
  await db<UserRow>('users').where({ id, secondFactor: from }).update({ secondFactor: to });
}

export async function replaceRecoveryCodes(db: Database, operatorId: string, hashes: string[]): Promise<void> {
  await db('operator_recovery_codes').where({ operatorId }).delete();
  if (hashes.length > 0) {
    await db('operator_recovery_codes').insert(hashes.map((codeHash) => ({ operatorId, codeHash })));
  }
}
