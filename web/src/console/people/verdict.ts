import type { PersonAnswer } from '@site/schema/calls/people';
import { NOT_RECEIVING_REASONS } from '@site/schema/money';
import { describeProgress, needsCorrection, shownStatus, STAGE_NAMES, STATUS_NAMES } from '../lead/lead-labels.ts';
import type { Halt } from '../lead/lead-labels.ts';
import { judgeMoney } from '../money/judge-money.ts';
import type { Verdict } from '../money/judge-money.ts';
import { formatDate } from '../time/london-time.ts';

/** Says in a sentence what a person is, the most urgent first, and what to do about it. */
export function judge(person: PersonAnswer, now: Date, halt: Halt): Verdict {
  const { notReceiving } = person;
  if (!notReceiving) return judgeMoney(person, now) ?? judgeLead(person, now, halt);
  const sentence = `${NOT_RECEIVING_REASONS[notReceiving.reason].label}.`;
  return { tone: 'failed', name: 'Pays, does not receive', sentence, action: 'remedy' };
}

function judgeLead({ lead, subscriptions }: PersonAnswer, now: Date, halt: Halt): Verdict {
  const tone = shownStatus(lead);
  const progress = `${describeProgress(lead, now, halt)}.`;
  if (needsCorrection(lead)) return { tone, name: STATUS_NAMES.failed, sentence: progress, action: 'correct' };
  if (tone === 'failed') return { tone, name: STATUS_NAMES.failed, sentence: progress, action: 'retry' };
  const ended = subscriptions[0]?.endedAt;
  if (ended)
    return { tone: 'pending', name: STAGE_NAMES.ended, sentence: `on ${formatDate(new Date(ended))}. ${progress}` };
  return { tone, name: tone === 'sent' ? 'On the list' : STATUS_NAMES[tone], sentence: progress };
}
