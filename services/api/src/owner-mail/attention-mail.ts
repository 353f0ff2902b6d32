import { findAlerts } from '@site/platform/alerts/alerts';
import { listAlerts, toAlertKey } from '@site/platform/alerts/report-conditions';
import type { Database } from '@site/platform/database/connect';
import type { MailBody, MailRow, MailSection } from '@site/platform/database/tables';
import type { Clock } from '@site/platform/process/clock';
import { formatMoney } from '@site/schema/money';
import { OFFER } from '@site/schema/offer';
import { normaliseEmail } from '@site/schema/email';
import { storeMail } from '../mail/mail.repository.ts';
import type { ApiSettings } from '../settings.ts';
import { listAttention } from '../admin/money/attention-list.ts';
import type { Attention, AttentionSettings, News } from '../admin/money/attention-list.ts';
import { forgetResolved, listCounted, markMailed } from './mailed-attention.repository.ts';

export type MailDeps = {
  clock: Clock;
  settings: AttentionSettings & Pick<ApiSettings, 'publicUrl' | 'maxPendingMs' | 'isProduction'>;
};

/** Returns the URL of the console's overview. */
export const overviewUrl = (publicUrl: string) => `${publicUrl}/admin-leads?view=overview`;

/**
 * Lists the items for an email. Includes a condition only while it is an open alert. Leaves failing
 * emails to the webhook, because such an email would arrive only once they work again.
 */
export async function listForMail(
  { settings }: Pick<MailDeps, 'settings'>,
  trx: Database,
  options: { only?: News } = {},
): Promise<Attention> {
  const open = new Set((await listAlerts(trx)).map(({ kind }) => kind));
  // Conditions that only production reports are open only there.
  const found = await findAlerts(trx, settings.maxPendingMs, true);
  return listAttention(
    trx,
    settings,
    found.filter((each) => each.kind !== 'mail-failing' && open.has(toAlertKey(each))),
    options,
  );
}

/**
 * Stores a mail about items that were in no mail yet. For an hour after the last mail, a mail has
 * only grave items.
 */
export async function storeAttentionMail(deps: MailDeps, trx: Database): Promise<void> {
  await forgetResolved(trx, await listForMail(deps, trx));
  const recent = trx('mails')
    .where({ kind: 'attention' })
    .whereRaw(`created_at > sync_now() - interval '1 hour'`);
  const only = (await recent.first('id')) ? 'grave-news' : 'news';
  const counted = await listCounted(trx, only);
  const news = await listForMail(deps, trx, { only });
  if (news.count === 0) return;
  const kind = only === 'news' ? 'attention' : 'grave';
  await storeMail(trx, { kind, body: writeNews(news, deps.settings.publicUrl) });
  await markMailed(trx, [...counted, ...news.items.map(({ id }) => id)], only);
}

/** Writes the mail about new items. */
export function writeNews(news: Attention, publicUrl: string): MailBody {
  const others = news.count === 1 ? '' : `, and ${news.count - 1} more`;
  return {
    subject: `Needs attention: ${news.items[0]?.title}${others}`,
    name: OFFER.productName,
    heading: 'Needs attention',
    sections: [toSection('New', news, publicUrl)],
    href: overviewUrl(publicUrl),
    link: 'Open the overview',
    foot:
      'Sent to the email addresses for alerts: what is grave at once, the rest at most once an ' +
      'hour. Visitors are never emailed from here.',
  };
}

/** Writes the part of a mail that lists items. Each row links to the place that settles it. */
export function toSection(
  heading: string,
  { items, count }: Attention,
  publicUrl: string,
): MailSection {
  const overview = overviewUrl(publicUrl);
  const rows = items.map(({ title, tone, text, name, email, amount, href }): MailRow => {
    const about = [name ?? email, amount && formatMoney(amount.pence, amount.currency)];
    return {
      title,
      isAlarm: tone === 'failed',
      text: [about.filter(Boolean).join(', '), text].filter(Boolean).join('. '),
      people: email === null ? [] : [normaliseEmail(email)],
      href: href?.startsWith('/') ? `${publicUrl}${href}` : (href ?? overview),
    };
  });
  const rest = count - items.length;
  const more = { text: `And ${rest} more.`, href: overview };
  return { heading, count, rows: [...rows, ...(rest > 0 ? [more] : [])] };
}
