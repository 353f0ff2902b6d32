import type { Database } from '@site/platform/database/connect';
import type Stripe from 'stripe';
import { expireSession } from '../../stripe/expire-session.ts';
import { deleteOpenCheckout, listOpenCheckouts } from './checkout.repository.ts';

/**
 * Expires the open checkouts of an email with a live subscription, but for `except`, because each
 * could start a second subscription with a second trial. Throws if Stripe is unreachable.
 */
export async function expireCheckouts(
  { db, stripe }: { db: Database; stripe: Stripe },
  email: string,
  except: string | null,
): Promise<void> {
  for (const id of await listOpenCheckouts(db, email)) {
    if (id === except) continue;
    // If Stripe ends it now, the event that follows stores the checkout's end.
    if (!(await expireSession(stripe, id))) await deleteOpenCheckout(db, id);
  }
}
