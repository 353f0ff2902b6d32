import type { Clock } from '@site/platform/process/clock';
import type { Database } from '@site/platform/database/connect';
import { lockFound } from '@site/platform/people/person';
import { wordingOf } from '@site/schema/consent';
import type { CallSent } from '@site/schema/calls/calls';
import { normaliseEmail } from '@site/schema/email';
import { z } from 'zod';
import { problem } from '../../http/problem.ts';
import { clearInvoicePages } from '../../billing/storing/payment.repository.ts';
import { recordAction } from '../../audit/audit.repository.ts';
import {
  erasePerson,
  findPerson,
  hasLiveSubscription,
  listAffected,
  readHeldRows,
} from './privacy.repository.ts';
import { storeErasure } from './receipt.repository.ts';
import type { ReceiptRow } from './receipt.repository.ts';

type SentReceipt = CallSent<'GET /api/admin/people/erasures'>['erasures'][number];

const KEPT =
  'Stripe’s ids, amounts and dates of what was paid stay here for the accounts, without name, ' +
  'email or links, so that a closed month never changes. Stripe keeps the customer, the ' +
  'subscriptions, the payments and the invoices, because tax law requires records of sales ' +
  'for six years. Delete the customer in Stripe’s dashboard when that time is over.';
const ELSEWHERE = [
  'Beehiiv, which sends the emails, also holds the email, the form’s fields and the opened ' +
    'emails of everybody on its list.',
  'Stripe, which takes the payments, also holds the customer, subscriptions and invoices of ' +
    'everybody who subscribed.',
];

const consentRow = z.object({
  id: z.string(),
  consentMarketing: z.boolean(),
  consentTimestamp: z.date().nullable(),
  consentTextVersion: z.string().nullable(),
  consentPage: z.string().nullable(),
});

/** Exports everything held about a person, as one snapshot. */
export async function exportPerson(
  { db, clock }: { db: Database; clock: Clock },
  operator: string,
  email: string,
): Promise<CallSent<'POST /api/admin/people/export'>> {
  const tables = await db.transaction(
    async (trx) => {
      const found = await readHeldRows(trx, await findPerson(trx, email));
      const { leads } = found;
      const own =
        leads.find((lead) => lead['emailNormalised'] === normaliseEmail(email)) ?? leads[0];
      const subject = own ? String(own['id']) : null;
      await recordAction(trx, {
        operator,
        action: 'export-person',
        subject,
        detail: { leads: leads.length },
      });
      return found;
    },
    { isolationLevel: 'repeatable read' },
  );
  const consent = z.array(consentRow).parse(tables.leads);
  return {
    email,
    exportedAt: clock.now(),
    consent: consent.map((row) => ({
      leadId: row.id,
      agreed: row.consentMarketing,
      at: row.consentTimestamp ?? null,
      version: row.consentTextVersion,
      wording: wordingOf(row.consentTextVersion),
      page: row.consentPage,
    })),
    tables,
    elsewhere: ELSEWHERE,
  };
}

/**
 * Erases a person here at once. The workers then ask Beehiiv until it has deleted the subscriber.
 * Throws 409 while the person has a subscription that has not ended for good.
 */
export async function erase(
  { db, newId }: { db: Database; newId: () => string },
  operator: string,
  email: string,
): Promise<SentReceipt> {
  return db.transaction(async (trx) => {
    // Events about these emails wait for the locks, and then see that the person was erased.
    const { found: person } = await lockFound(trx, async (db) => {
      const found = await findPerson(db, email);
      return { found, emails: await listAffected(db, found) };
    });
    if (await hasLiveSubscription(trx, person.email)) {
      throw problem('subscription-live', {
        detail: 'This person has a running subscription or trial. Cancel it first, then erase.',
      });
    }
    await clearInvoicePages(trx, person.emails);
    const erased = await erasePerson(trx, person);
    const receipt = await storeErasure(trx, {
      id: newId(),
      email: person.email,
      operator,
      erased,
    });
    await recordAction(trx, {
      operator,
      action: 'erase-person',
      subject: receipt.id,
      detail: { erased },
    });
    for (const other of person.emails.slice(1)) {
      // Beehiiv may have the mistyped email too.
      const { id } = await storeErasure(trx, { id: newId(), email: other, operator, erased: {} });
      await recordAction(trx, {
        operator,
        action: 'erase-person',
        subject: id,
        detail: { with: receipt.id },
      });
    }
    return toReceipt(receipt);
  });
}

export function toReceipt(row: ReceiptRow): SentReceipt {
  return { ...row, kept: KEPT };
}
