import { formatLongDate } from '@site/schema/calendar';
import { OFFER } from '@site/schema/offer';

type Abandoned = {
  name: string | null;
  startedAt: string;
  agreedAt: string;
  url: string;
  endsAt: string | null;
};

/**
 * Writes an email for somebody who agreed to email and did not finish their checkout. They have
 * never completed a checkout, so they still have their trial. The first line is the subject.
 */
export function writeCheckoutEmail({ name, startedAt, agreedAt, url, endsAt }: Abandoned): string {
  const day = (at: string) => formatLongDate(new Date(at));
  const [firstName] = name?.trim().split(/\s+/u) ?? [];
  const stays =
    endsAt === null
      ? 'Your checkout is still open'
      : `Your checkout stays open until ${day(endsAt)}`;
  return [
    `Your checkout at ${OFFER.productName} is still open`,
    `Hello${firstName ? ` ${firstName}` : ''},`,
    `On ${day(startedAt)} you began to subscribe and did not finish. ${stays}: ${url}`,
    `You pay nothing for ${OFFER.trialDays} days and can cancel at any time before. If ` +
      'something went wrong, please reply and tell me.',
    OFFER.productName,
    `You agreed to email on ${day(agreedAt)}. Reply “stop” and I will not write again.`,
  ].join('\n\n');
}
