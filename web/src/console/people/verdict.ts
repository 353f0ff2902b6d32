import type { PersonAnswer } from '@site/schema/calls/people';
import { formatMoney } from '@site/schema/currency';
import { NOT_RECEIVING_REASONS, UNSETTLED_REASONS } from '@site/schema/money';
import {
  describeProgress,
  describeSubscriberStatus,
  needsCorrection,
  progressOf,
  shownStatus,
  STAGE_NAMES,
} from '../lead/lead-labels.ts';
import type { Halt } from '../lead/lead-labels.ts';
import { judgeMoney, mainOf } from '../money/judge-money.ts';
import type { Verdict } from '../money/judge-money.ts';
import { formatDate } from '../time/london-time.ts';
import { describeListed } from './people-labels.ts';

const AWAITING = describeSubscriberStatus('pending');

/** Says in a sentence what a person is, the most urgent first, and what to do about it. */
export function judge(person: PersonAnswer, now: Date, halt: Halt): Verdict {
  const { notReceiving, unsettled, subscriptions } = person;
  const money = judgeMoney(person, now);
  const main = mainOf(subscriptions)?.stripeSubscriptionId;
  const cause = unsettled.find(({ stripeSubscriptionId }) => stripeSubscriptionId === main);
  if (!notReceiving && money && cause && money.action !== 'dispute') {
    // What was refunded is said with the subscription.
    const amount = cause.reason === 'refunded' ? '' : `, ${formatMoney(cause.amountPence, cause.currency)}`;
    const sentence = `${UNSETTLED_REASONS[cause.reason]}${amount}. ${money.name} ${money.sentence}`;
    return { tone: 'pending', name: 'Running without payment', sentence, action: 'cancel' };
  }
  if (!notReceiving) return money ?? judgeLead(person, now, halt);
  const sentence = `${NOT_RECEIVING_REASONS[notReceiving.reason].label}.`;
  return { tone: 'failed', name: 'Pays, does not receive', sentence, action: 'remedy' };
}

function judgeLead({ lead, subscriptions }: PersonAnswer, now: Date, halt: Halt): Verdict {
  const name = describeListed(lead);
  const isListed = lead.subscriberStatus === 'active';
  // Beehiiv may say more than that it took the lead.
  const isOpen = lead.beehiivStatus === 'sent' && lead.subscriberStatus !== null && !isListed;
  const tone = isOpen ? 'pending' : shownStatus(lead);
  const { what, at } = progressOf(lead, now, halt);
  // The name is not said twice.
  const said = what === AWAITING ? `since ${at}` : `Sent · ${at}`;
  const told = what === name ? said : describeProgress(lead, now, halt);
  if (tone === 'failed')
    return { tone, name, sentence: `${told}.`, action: needsCorrection(lead) ? 'correct' : 'retry' };
  const ended = subscriptions[0]?.endedAt;
  if (!ended) return { tone, name, sentence: `${told}.` };
  const sentence = `on ${formatDate(new Date(ended))}. ${isListed ? 'Still on the free list' : name}.`;
  return { tone: 'pending', name: STAGE_NAMES.ended, sentence };
}
