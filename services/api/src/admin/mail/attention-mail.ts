import type { Database } from '@site/platform/database/connect';
import type { MailRow, MailSection } from '@site/platform/database/mail-body';
import type { Clock } from '@site/platform/process/clock';
import { OFFER } from '@site/schema/offer';
import { storeMail } from '../../mail/mail.repository.ts';
import type { ApiSettings } from '../../settings.ts';
import { forgetSettled, listAttention, markMailed } from '../money/attention-list.ts';
import type { Attention, AttentionItem } from '../money/attention-list.ts';

export type MailDeps = {
  clock: Clock;
  settings: Pick<ApiSettings, 'publicUrl' | 'maxPendingMs' | 'isProduction'>;
};

export const OVERVIEW = 'view=overview';

/** Stores a mail about what needs attention and was in no mail yet. Waits for an hour after the last one. */
export async function storeAttentionMail(
  { settings: { publicUrl, maxPendingMs } }: MailDeps,
  trx: Database,
): Promise<void> {
  await forgetSettled(trx, maxPendingMs);
  const recent = trx('mails')
    .where({ kind: 'attention' })
    .whereRaw(`created_at > sync_now() - interval '1 hour'`);
  if (await recent.first('id')) return;
  const news = await listAttention(trx, maxPendingMs, { isNews: true });
  const [worst] = news.items;
  if (worst === undefined) return;
  const others = news.count === 1 ? '' : `, and ${news.count - 1} more`;
  const body = {
    subject: `Needs attention: ${worst.title ?? worst.text.split('. ')[0]}${others}`,
    name: OFFER.productName,
    heading: 'Needs attention',
    sections: [toSection('New', news, publicUrl)],
    href: `${publicUrl}/admin-leads?${OVERVIEW}`,
    link: 'Open the overview',
    foot: 'Sent to the addresses for alerts, at most once an hour. Visitors are never emailed from here.',
  };
  await storeMail(trx, { kind: 'attention', body });
  await markMailed(trx, maxPendingMs);
}

/** The part of a mail that lists what needs attention. Each row opens the person's lead. */
export function toSection(
  heading: string,
  { items, count }: Attention,
  publicUrl: string,
): MailSection {
  const toRow = ({
    kind,
    title,
    text,
    isAlarm = false,
    leadId,
    people,
  }: AttentionItem): MailRow => {
    const view = leadId ? `lead=${leadId}` : kind === 'leads-failed' ? 'status=failed' : OVERVIEW;
    return {
      ...(title !== undefined && { title }),
      isAlarm,
      text,
      people,
      href: `${publicUrl}/admin-leads?${view}`,
    };
  };
  const rest = count - items.reduce((sum, item) => sum + item.count, 0);
  const more = { text: `And ${rest} more.`, href: `${publicUrl}/admin-leads?${OVERVIEW}` };
  return { heading, count, rows: [...items.map(toRow), ...(rest > 0 ? [more] : [])] };
}
