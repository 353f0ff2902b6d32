import type { Remedy } from '@site/schema/differences';
import { NOT_RECEIVING_REASONS } from '@site/schema/money';
import type { NotReceivingReason, PayerRemedy } from '@site/schema/money';
import type { Database } from '../database/connect.ts';
import { query } from '../database/query.ts';

/*
 * Payers and readers who do not receive the paid issue (rule 3.14), from our own rows: Beehiiv's
 * last word on the email, its tier, its lead, and the nightly comparison. The view `not_receiving`
 * decides. Alerts and metrics read it too.
 */

export type NotReceiving = {
  /** Null for a customer without one. */
  email: string | null;
  stripeSubscriptionId: string;
  leadId: string | null;
  differenceId: number | null;
  reason: NotReceivingReason;
  remedy: PayerRemedy;
  since: Date;
};

type Found = Omit<NotReceiving, 'remedy'> & {
  emailNormalised: string | null;
  isReader: boolean;
  differenceRemedy: Remedy | null;
};

/** Lists payers who do not receive, the longest first, at most `limit`. */
export async function listNotReceiving(db: Database, limit: number): Promise<NotReceiving[]> {
  const rows = await query<Found>(
    db,
    'select * from not_receiving order by since, stripe_subscription_id limit :limit',
    { limit },
  );
  return rows.map(toNotReceiving);
}

/** Finds why a normalised email that is paid for does not receive. Null if it does. */
export async function findNotReceiving(
  db: Database,
  address: string,
): Promise<NotReceiving | null> {
  const [row] = await query<Found>(
    db,
    'select * from not_receiving where email_normalised = :address',
    { address },
  );
  return row ? toNotReceiving(row) : null;
}

function toNotReceiving({
  emailNormalised: _,
  isReader: __,
  differenceRemedy,
  ...row
}: Found): NotReceiving {
  return { ...row, remedy: remedyOf(row.reason, differenceRemedy) };
}

/** Remedies of the comparison by reason. */
const OFFERED: Partial<Record<NotReceivingReason, Remedy>> = {
  'not-at-beehiiv': 'add-again',
  'not-premium': 'set-premium',
};

function remedyOf(reason: NotReceivingReason, offered: Remedy | null): PayerRemedy {
  return offered !== null && offered !== 'set-free' && offered === OFFERED[reason]
    ? offered
    : NOT_RECEIVING_REASONS[reason].remedy;
}
