import { formatLongDate } from '@site/schema/calendar';
import { OFFER } from '@site/schema/offer';
import { formatTime } from '../shared/format.ts';

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
  const stays =
    endsAt === null
      ? 'Your checkout is still open'
      : `Your checkout stays open until ${day(endsAt)}`;
  return [
    `Your checkout at ${OFFER.productName} is still open`,
    greet(name),
    `On ${day(startedAt)} you began to subscribe and did not finish. ${stays}: ${url}`,
    `You pay nothing for ${OFFER.trialDays} days and can cancel at any time before. If ` +
      'something went wrong, please reply and tell me.',
    OFFER.productName,
    `You agreed to email on ${day(agreedAt)}. Reply “stop” and I will not write again.`,
  ].join('\n\n');
}

/** Writes an email with a payment link. The first line is the subject. */
export function writeLinkEmail(name: string | null, link: { url: string; endsAt: string }): string {
  const ends = new Date(link.endsAt);
  return [
    `Your subscription to ${OFFER.productName}`,
    greet(name),
    `Here is your page to subscribe: ${link.url}`,
    `It works until ${formatTime(ends)} on ${formatLongDate(ends)} (UK time), and shows the ` +
      'price and what is charged today. If it has ended, please reply and I will send a new one.',
    OFFER.productName,
  ].join('\n\n');
}

function greet(name: string | null): string {
  const [firstName] = name?.trim().split(/\s+/u) ?? [];
  return `Hello${firstName ? ` ${firstName}` : ''},`;
}
