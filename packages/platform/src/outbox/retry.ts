import type { Database } from '../database/connect.ts';
import { settlePeopleOf } from './people.ts';

/**
 * Makes leads due now. A failed lead starts a new round, and its quarantine ends; a pending lead stays in its round.
 * Sent, claimed and corrected leads are left alone. A lead that is retried alone comes first. Returns the ids that are now due.
 * Before: the operator's Retry, or the API when it lifts a quarantine. Next: `sync-queue.ts`.
 */
export async function retryLeads(db: Database, leadIds: string[]): Promise<string[]> {
  const isAlone = leadIds.length === 1;
  return db.transaction(async (trx) => {
    const restarted = await trx('leads')
      .whereIn('id', leadIds)
      .where({ beehiivStatus: 'failed' })
      .whereNull('correctedTo')
      .update({
        beehiivStatus: 'pending',
        syncRound: trx.raw('sync_round + 1'),
        syncAttempts: 0,
        // A round without a new consent starts after the lead's consent (rule 2.13), even if the
        // clock has stepped back since.
        roundStartedAt: trx.raw(
          "greatest(sync_now(), coalesce(consent_timestamp, submitted_at) + interval '1 millisecond')",
        ),
        nextAttemptAt: trx.raw('sync_now()'),
        quarantineReason: null,
        urgency: isAlone ? 'first' : 'retry',
      })
      .returning<{ id: string }[]>('id');
    const madeDue = await trx('leads')
      .whereIn('id', leadIds)
      .whereNotIn(
        'id',
        restarted.map((row) => row.id),
      )
      .where({ beehiivStatus: 'pending' })
      .whereNull('correctedTo')
      .whereRaw('not exists (select from claimed_leads where lead_id = leads.id)')
      .update({
        nextAttemptAt: trx.raw('least(next_attempt_at, sync_now())'),
        ...(isAlone && { urgency: 'first' }),
      })
      .returning<{ id: string }[]>('id');
    // Somebody whose quarantine ends counts from now on.
    await settlePeopleOf(
      trx,
      restarted.map((row) => row.id),
    );
    return [...restarted, ...madeDue].map((row) => row.id);
  });
}
