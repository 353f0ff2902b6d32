import type { PersonAnswer } from '@site/schema/calls/people';
import { isSameAddress } from '@site/schema/email';
import { NOT_RECEIVING_REASONS } from '@site/schema/money';
import {
  describeListed,
  describeProgress,
  describeSubscriberStatus,
  needsCorrection,
  progressOf,
  shownStatus,
  STAGE_NAMES,
} from '../lead/lead-labels.ts';
import type { Halt } from '../lead/lead-labels.ts';
import { describeCanceller, judgeMoney } from './judge-money.ts';
import type { Verdict } from './judge-money.ts';
import { describeCancellation, describeRecovery } from './money-labels.ts';
import { formatDate, formatDay } from '../shared/london-time.ts';

const AWAITING = describeSubscriberStatus('pending');
const CHECKING = describeSubscriberStatus('validating');

/** Says in a sentence what a person is, the most urgent first, and what to do about it. */
export function judge(person: PersonAnswer, now: Date, halt: Halt): Verdict {
  const { lead, notReceiving, subscriptions } = person;
  if (!notReceiving) return judgeMoney(person, now) ?? judgeLead(person, now, halt);
  const sentence = `${NOT_RECEIVING_REASONS[notReceiving.reason].label}.`;
  const pays = subscriptions.some(({ email }) => isSameAddress(email, lead.email));
  const name = pays ? 'Pays, does not receive' : 'Does not receive';
  return { tone: 'failed', name, sentence, action: 'remedy' };
}

function judgeLead(
  { lead, subscriptions, checkouts, history }: PersonAnswer,
  now: Date,
  halt: Halt,
): Verdict {
  const name = describeListed(lead);
  const isListed = lead.subscriberStatus === 'active';
  // Beehiiv may say more than that it took the lead.
  const isOpen = lead.beehiivStatus === 'sent' && lead.subscriberStatus !== null && !isListed;
  const tone = isOpen ? 'pending' : shownStatus(lead);
  const { what, at } = progressOf(lead, now, halt, now);
  const sent =
    what === AWAITING
      ? `since ${at}. They confirm by a link in an email from Beehiiv`
      : what === CHECKING
        ? `since ${at}`
        : `${lead.subscriberStatus === null ? '' : 'sent '}to Beehiiv ${at}`;
  const told = lead.beehiivStatus === 'sent' ? sent : describeProgress(lead, now, halt);
  if (tone === 'failed' && needsCorrection(lead))
    return {
      tone,
      name,
      sentence: `${told}. Nothing is sent until the address is corrected.`,
      action: 'correct',
    };
  if (tone === 'failed') return { tone, name, sentence: `${told}.`, action: 'retry' };
  const [last] = subscriptions;
  if (last?.endedAt) {
    const { endedAt, trialEndsAt, firstPaidAt, cancellationFeedback } = last;
    const trial =
      trialEndsAt === null ? '' : endedAt < trialEndsAt ? ' during the trial' : ' after the trial';
    const paid = firstPaidAt === null ? `${trial}; nothing was paid` : '';
    const why =
      cancellationFeedback === null
        ? ''
        : ` Reason given: ${describeCancellation(cancellationFeedback)}.`;
    const who = describeCanceller(last, history);
    const by = who && ` Cancelled${who}.`;
    const sentence = `on ${formatDate(new Date(endedAt))}${paid}.${by}${why}${isListed ? ' Still on the free list.' : ''}`;
    return { tone: 'corrected', name: STAGE_NAMES.ended, sentence };
  }
  const left = checkouts.find(({ isAbandoned }) => isAbandoned);
  if (!left) return { tone, name, sentence: `${told}.` };
  const { url, validity } = describeRecovery(left, now);
  const works = url === undefined ? '' : `; the link ${validity}`;
  const list = isListed ? 'On the free list' : describeProgress(lead, now, halt);
  const sentence = `Opened ${formatDay(new Date(left.startedAt), now)}${works}. ${list}.`;
  const unfinished = { name: 'Checkout not finished', sentence };
  return url === undefined
    ? { ...unfinished, tone: 'corrected' }
    : { ...unfinished, tone: 'pending', action: 'recover' };
}
