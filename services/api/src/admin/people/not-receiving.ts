import type { Database } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import type { CallSent } from '@site/schema/calls/calls';
import type { Remedy } from '@site/schema/differences';
import { NOT_RECEIVING_REASONS } from '@site/schema/money';
import type { NotReceivingReason } from '@site/schema/money';

type NotReceiving = NonNullable<CallSent<'GET /api/admin/leads/:id/person'>['notReceiving']>;

/** Remedies of the comparison by reason. */
const OFFERED: Partial<Record<NotReceivingReason, 'add-again' | 'set-premium'>> = {
  'not-at-beehiiv': 'add-again',
  'not-premium': 'set-premium',
};

/**
 * Finds why a normalised email that is paid for does not receive the paid issue (rule 3.14), and
 * what to do about it. Returns null if it does.
 */
export async function findNotReceiving(
  db: Database,
  address: string,
): Promise<NotReceiving | null> {
  const [row] = await query<Omit<NotReceiving, 'remedy'> & { offered: Remedy | null }>(
    db,
    `select email, lead_id, difference_id, reason, difference_remedy as offered
     from not_receiving where email_normalised = :address`,
    { address },
  );
  if (!row) return null;
  const { offered, ...found } = row;
  const remedy = OFFERED[row.reason];
  return {
    ...found,
    remedy:
      remedy !== undefined && remedy === offered
        ? remedy
        : NOT_RECEIVING_REASONS[row.reason].remedy,
  };
}
