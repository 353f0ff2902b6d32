import { findAlerts } from '@site/platform/alerts/alerts';
import type { AlertCondition } from '@site/platform/alerts/report-conditions';
import { listAlerts, markMailed } from '@site/platform/alerts/alert.repository';
import type { Database } from '@site/platform/database/connect';
import type { AlertKind } from '@site/platform/database/tables';
import { listNotReceiving } from '@site/platform/health/not-receiving';
import { NOT_RECEIVING_REASONS } from '@site/schema/money';
import { formatLongDate } from '@site/schema/calendar';
import { listFailedRefunds, listOpenDisputes } from '../money/money.repository.ts';
import { hasRecentAttention, storeMail } from '../../mail/mail.repository.ts';
import { renderMail } from '../../mail/mail-body.ts';
import type { MailRow } from '../../mail/mail-body.ts';
import type { Clock } from '@site/platform/process/clock';
import type { ApiSettings } from '../../settings.ts';
import { formatPence, OFFER } from '@site/schema/offer';

/** What the stored mails are made from. */
export type MailDeps = {
  clock: Clock;
  newId: () => string;
  settings: Pick<ApiSettings, 'publicUrl' | 'maxPendingMs'>;
};

/** Stores a mail about what needs attention and was in no mail yet. Waits for an hour after the last one. */
export async function storeAttentionMail({ settings, newId }: MailDeps, trx: Database): Promise<void> {
  if (await hasRecentAttention(trx)) return;
  const alerts = await listAlerts(trx);
  const items = await listAttention(trx, settings.maxPendingMs);
  const news = items.filter(({ kind, id }) => !alerts.find((alert) => alert.kind === kind)?.mailedItems.includes(id));
  const [worst] = news;
  if (worst === undefined) return;
  const others = news.length === 1 ? '' : `, and ${news.length - 1} more`;
  const mail = renderMail({
    subject: `Needs attention: ${worst.title ?? worst.text.split('. ')[0]}${others}`,
    name: OFFER.productName,
    heading: 'Needs attention',
    sections: [{ heading: 'New', count: news.length, rows: news.map((item) => toRow(item, settings.publicUrl)) }],
    href: `${settings.publicUrl}/admin-leads?view=money`,
    foot: 'Sent to the addresses in ALERT_EMAIL, at most once an hour. Visitors are never emailed from here.',
  });
  await storeMail(trx, { id: newId(), kind: 'attention', people: peopleOf(news), ...mail });
  for (const { kind } of alerts) {
    const ids = items.filter((item) => item.kind === kind).map(({ id }) => id);
    await markMailed(trx, kind, ids);
  }
}

/** A row of a mail about an item, which opens the person's lead. */
export function toRow({ title, text, isAlarm = false, leadId, people }: AttentionItem, publicUrl: string): MailRow {
  const view = leadId ? `?lead=${leadId}` : people.length > 0 ? '?view=money' : '';
  return { ...(title !== undefined && { title }), isAlarm, text, href: `${publicUrl}/admin-leads${view}` };
}

/** The addresses that a mail about these items names. */
export const peopleOf = (items: AttentionItem[]): string[] => [...new Set(items.flatMap(({ people }) => people))];

/** What needs attention now: one person's matter, or a whole condition. */
export type AttentionItem = {
  kind: AlertKind;
  /** Names it among those of its kind. */
  id: string;
  title?: string;
  text: string;
  isAlarm?: boolean;
  /** The addresses of whom it names. */
  people: string[];
  leadId?: string | null;
};

/** Somebody's matter: what to say of it, given what they pay. */
type Matter = {
  id: string;
  email: string | null;
  leadId: string | null;
  stripeSubscriptionId: string;
  describe: (price: string) => string;
};

const SHOWN = 50;

type Kind = { title: string; isAlarm?: true; list: (db: Database) => Promise<Matter[]> };
/** The kinds that are about certain people, the worst first. Any other is one item, with the text of its alert. */
const OF_PEOPLE: Partial<Record<AlertKind, Kind>> = {
  'payers-not-receiving': {
    title: 'Pays, but does not receive',
    isAlarm: true,
    list: async (db) =>
      (await listNotReceiving(db, SHOWN)).map(({ reason, ...payer }) => ({
        ...payer,
        id: payer.stripeSubscriptionId,
        describe: (price) => `${price}. ${NOT_RECEIVING_REASONS[reason].label}.`,
      })),
  },
  'disputes-open': {
    title: 'Dispute',
    list: async (db) =>
      (await listOpenDisputes(db))
        .filter(({ status }) => status.endsWith('needs_response'))
        .map(({ amountPence, evidenceDueAt: due, ...dispute }) => ({
          ...dispute,
          describe: () =>
            `${formatPence(amountPence, true)}.${due ? ` Answer by ${formatLongDate(new Date(due), true)}.` : ''}`,
        })),
  },
  'refunds-failed': {
    title: 'Refund failed',
    list: async (db) =>
      (await listFailedRefunds(db)).map(({ amountPence, ...refund }) => ({
        ...refund,
        describe: () => `${formatPence(amountPence, true)}. The customer has not been paid.`,
      })),
  },
};
const PEOPLE_FIRST = Object.keys(OF_PEOPLE);

/** Lists what needs attention: the open alerts, as the webhook has them, with the people whom they are about. */
export async function listAttention(db: Database, maxPendingMs: number): Promise<AttentionItem[]> {
  const open = new Set((await listAlerts(db)).map(({ kind }) => kind));
  const conditions = (await findAlerts(db, maxPendingMs)).filter(({ kind }) => open.has(kind));
  const items = [];
  for (const condition of conditions) items.push(...(await toItems(db, condition)));
  const rank = ({ kind }: AttentionItem) =>
    PEOPLE_FIRST.includes(kind) ? PEOPLE_FIRST.indexOf(kind) : PEOPLE_FIRST.length;
  return items.toSorted((one, other) => rank(one) - rank(other));
}

async function toItems(db: Database, { kind, text }: AlertCondition): Promise<AttentionItem[]> {
  const about = OF_PEOPLE[kind];
  if (!about) return [{ kind, id: kind, text, people: [] }];
  const { list, ...words } = about;
  const items: AttentionItem[] = [];
  for (const { id, email, leadId, stripeSubscriptionId, describe } of await list(db)) {
    const paid = await db('subscriptions')
      .where({ stripeSubscriptionId })
      .first('name', 'email', 'amountPence', 'plan');
    const price = `${formatPence(paid?.amountPence ?? 0, true)} a ${paid?.plan === 'annual' ? 'year' : 'month'}`;
    const who = email === null ? 'An erased customer' : (paid?.name ?? email);
    // Somebody else may pay for who receives.
    const people = [email, paid?.email].flatMap((address) => address?.toLowerCase() ?? []);
    items.push({ ...words, kind, id, leadId, people, text: `${who}, ${describe(price)}` });
  }
  return items;
}
