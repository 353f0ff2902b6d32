import type { Database } from '@site/platform/database/connect';
import { SUBSCRIPTION_STAGES } from '@site/schema/money';
import type { MoneyAnswer } from '@site/schema/money';

const SHOWN = 100;

export async function countStages(db: Database): Promise<MoneyAnswer['stages']> {
  const rows = await db('subscriptions').groupBy('stage').select('stage').count<{ stage: string; count: number }[]>();
  const counts = new Map(rows.map(({ stage, count }) => [stage, count]));
  return Object.fromEntries(
    SUBSCRIPTION_STAGES.map((stage) => [stage, counts.get(stage) ?? 0]),
  ) as MoneyAnswer['stages'];
}

export async function listParked(db: Database): Promise<MoneyAnswer['parkedEvents']> {
  const rows = await db('stripe_events')
    .where({ outcome: 'parked' })
    .orderBy('receivedAt', 'desc')
    .limit(SHOWN)
    .select('id', 'type', 'fault', 'receivedAt');
  return rows.map((row) => ({ ...row, receivedAt: row.receivedAt.toISOString() }));
}

export async function listMismatches(db: Database): Promise<MoneyAnswer['payerMismatches']> {
  const rows = await db('payer_mismatches')
    .whereNull('reviewedAt')
    .orderBy('foundAt', 'desc')
    .limit(SHOWN)
    .select('stripeSubscriptionId', 'leadId', 'leadEmail', 'payerEmail', 'foundAt');
  return rows.map((row) => ({ ...row, foundAt: row.foundAt.toISOString() }));
}

/** False for a mismatch that is not there. */
export async function markMismatchReviewed(db: Database, stripeSubscriptionId: string): Promise<boolean> {
  const marked = await db('payer_mismatches')
    .where({ stripeSubscriptionId })
    .update({ reviewedAt: db.raw('coalesce(reviewed_at, now())') });
  return marked > 0;
}

export async function listSecondLive(db: Database): Promise<MoneyAnswer['secondLive']> {
  const rows = await db('subscriptions')
    .whereNotNull('secondLiveSince')
    .orderBy('secondLiveSince', 'desc')
    .limit(SHOWN)
    .select('stripeSubscriptionId', 'email', 'secondLiveSince');
  return rows.map(({ secondLiveSince, ...row }) => ({ ...row, since: secondLiveSince.toISOString() }));
}

export async function listOpenDisputes(db: Database): Promise<MoneyAnswer['openDisputes']> {
  const { rows } = await db.raw(
    `select d.id, i.stripe_subscription_id, d.amount_pence, d.reason, d.status, d.evidence_due_at
     from stripe_disputes d join stripe_charges c on c.id = d.stripe_charge_id
       join stripe_invoices i on i.id = c.stripe_invoice_id
     where d.status not in ('won', 'lost', 'warning_closed') order by d.evidence_due_at nulls last limit ${SHOWN}`,
  );
  return rows.map((row: { evidenceDueAt: Date | null }) => ({
    ...row,
    evidenceDueAt: row.evidenceDueAt?.toISOString() ?? null,
  }));
}

// Whoever completed another checkout, with the same lead or the same address, has given nothing up.
const GIVEN_UP = `from checkouts lost where state = 'abandoned' and not exists (
  select from checkouts won where won.state = 'complete'
    and (won.lead_id = lost.lead_id or won.email_normalised = lost.email_normalised)
)`;

export async function readAbandoned(db: Database): Promise<MoneyAnswer['abandoned']> {
  const [counted, listed] = await Promise.all([
    db.raw(`select count(*)::int as total ${GIVEN_UP}`),
    db.raw(
      `select stripe_checkout_session_id as id, lead_id, email, begun_at, recovery_url, recovery_ends_at
       ${GIVEN_UP} order by begun_at desc limit ${SHOWN}`,
    ),
  ]);
  return {
    total: counted.rows[0].total,
    checkouts: listed.rows.map((row: { begunAt: Date; recoveryEndsAt: Date | null }) => ({
      ...row,
      begunAt: row.begunAt.toISOString(),
      recoveryEndsAt: row.recoveryEndsAt?.toISOString() ?? null,
    })),
  };
}

export async function countTiersWaiting(db: Database): Promise<number> {
  const row = await db('reader_tiers').whereRaw('confirmed_version < version').count<{ count: number }[]>().first();
  return row?.count ?? 0;
}
