import type { PersonAnswer } from '@site/schema/calls/people';
import { NOT_RECEIVING_REASONS } from '@site/schema/money';
import {
  describeProgress,
  describeSubscriberStatus,
  needsCorrection,
  progressOf,
  shownStatus,
  STAGE_NAMES,
} from '../lead/lead-labels.ts';
import type { Halt } from '../lead/lead-labels.ts';
import { judgeMoney } from '../money/judge-money.ts';
import type { Verdict } from '../money/judge-money.ts';
import { formatDate } from '../time/london-time.ts';
import { describeListed } from './people-labels.ts';

const AWAITING = describeSubscriberStatus('pending');

/** Says in a sentence what a person is, the most urgent first, and what to do about it. */
export function judge(person: PersonAnswer, now: Date, halt: Halt): Verdict {
  const { notReceiving } = person;
  if (!notReceiving) return judgeMoney(person, now) ?? judgeLead(person, now, halt);
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
  if (tone === 'failed' && needsCorrection(lead))
    return { tone, name, sentence: `${told}. Nothing is sent until the address is corrected.`, action: 'correct' };
  if (tone === 'failed') return { tone, name, sentence: `${told}.`, action: 'retry' };
  const ended = subscriptions[0]?.endedAt;
  if (!ended) return { tone, name, sentence: `${told}.` };
  const sentence = `on ${formatDate(new Date(ended))}. ${isListed ? 'Still on the free list' : name}.`;
  return { tone: 'pending', name: STAGE_NAMES.ended, sentence };
}
