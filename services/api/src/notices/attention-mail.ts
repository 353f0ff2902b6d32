import type { MailBody, MailRow, MailSection } from '@site/platform/database/tables';
import { formatLondonTime, formatLongDate } from '@site/schema/calendar';
import { formatMoney } from '@site/schema/money';
import { OFFER } from '@site/schema/offer';
import type { Attention } from '../admin/money/attention-list.ts';

/** Returns the URL of the console's overview. */
export const overviewUrl = (publicUrl: string) => `${publicUrl}/admin-leads?view=overview`;

type Over = { text: string; since: Date; resolvedAt: Date | null };

/** Writes the mail about new items, and about those over before a mail could be sent. */
export function writeNews(
  news: Attention,
  publicUrl: string,
  over: readonly Over[] = [],
): MailBody {
  const count = news.count + over.length;
  const others = count === 1 ? '' : `, and ${count - 1} more`;
  const rows = over.map(({ text, since, resolvedAt }) => ({
    text: `${text}. From ${toMoment(since)}${resolvedAt ? ` to ${toMoment(resolvedAt)}` : ''}.`,
  }));
  return {
    subject: `Needs attention: ${news.items[0]?.title ?? 'over again'}${others}`,
    name: OFFER.productName,
    heading: 'Needs attention',
    sections: [
      ...(news.count > 0 ? [toSection('New', news, publicUrl)] : []),
      ...(rows.length > 0 ? [{ heading: 'Over again', count: rows.length, rows }] : []),
    ],
    href: overviewUrl(publicUrl),
    link: 'Open the overview',
    foot:
      'Sent to the email addresses for alerts: what is grave at once, the rest at most once an ' +
      'hour. Visitors are never emailed from here.',
  };
}

const toMoment = (at: Date) => `${formatLondonTime(at)} on ${formatLongDate(at, true)}`;

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
      href: href?.startsWith('/') ? `${publicUrl}${href}` : (href ?? overview),
    };
  });
  const rest = count - items.length;
  const more = { text: `And ${rest} more.`, href: overview };
  return { heading, count, rows: [...rows, ...(rest > 0 ? [more] : [])] };
}
