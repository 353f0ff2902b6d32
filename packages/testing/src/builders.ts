import { randomUUID } from 'node:crypto';

import type { Database } from '@site/platform/database/connect';
import type { LeadRow } from '@site/platform/database/tables';
import type { AttemptOutcome } from '@site/platform/outbox/attempts';

/** Writes a lead straight into the table: what a test does not name is what a fresh subscriber's lead has. */
export async function storeLead(db: Database, given: Partial<LeadRow> = {}): Promise<LeadRow> {
  const [row] = await db<LeadRow>('leads')
    .insert({
      id: randomUUID(),
      email: `${randomUUID()}@reader.example`,
      formType: 'pre_buy',
      fullName: 'Priya Raman',
      consentMarketing: true,
      consentTimestamp: new Date(),
      consentTextVersion: '2025-12',
      ...given,
    })
    .returning('*');
  if (!row) throw new Error('The lead was not stored');
  return row;
}

/** Moves the sync's clock of one database, which is a function of it, forward by so many seconds. */
export async function advanceSyncClock(db: Database, seconds: number): Promise<void> {
  await db.raw(
    `create or replace function sync_now() returns timestamptz language sql stable as
     'select clock_timestamp() + interval ''${Math.round(seconds)} seconds'''`,
  );
}

/** Pauses the sync as a wrong key does, with its first probe due. */
export async function pauseSync(db: Database): Promise<void> {
  await db('sync_health').update({
    pausedSince: db.raw('sync_now()'),
    pauseReason: 'Beehiiv answered 401',
    pauseSetting: 'BEEHIIV_API_KEY',
    nextProbeAt: db.raw('sync_now()'),
  });
}

/** What a run learned: unless the test says otherwise, a 500 after which nobody knows what became of the request. */
export function buildOutcome(given: Partial<AttemptOutcome> = {}): AttemptOutcome {
  return {
    class: 'transient',
    httpStatus: 500,
    message: 'Beehiiv answered 500',
    response: '500',
    requestId: null,
    tookMs: 5,
    isOutcomeKnown: false,
    ...given,
  };
}
