import { describeAnswer } from '@site/schema/beehiiv-answers';
import type { SyncHealthAnswer } from '@site/schema/calls/sync';
import { countOf, formatCount } from '../shared/format-count.ts';
import { describeDuration, describeMoment } from '../shared/london-time.ts';
import { isAnySetting, isOfStripe } from './sync-labels.ts';

/** Good, ends without a person, needs a person, or not known. */
export type Tone = 'running' | 'waiting' | 'stopped' | 'unknown';

export type StripWords = {
  tone: Tone;
  /** The verdict, and the rest of the line. */
  line: readonly [string, string];
  /** Both, as short as a phone needs them. */
  brief: readonly [string, string];
  /** Where to read what to do, or more. */
  link: 'What to do' | 'What is left' | 'Sync';
};

/** Says in a line how the sync is, and in red and amber since when, how many wait, how many of them pay. */
export function describeSync(health: SyncHealthAnswer, now: Date, stepsLeft = 0): StripWords {
  const { state, pending, pause, conditions, oldestPendingAt } = health;
  const tooLong = conditions.find(({ kind }) => kind === 'pending-too-long');
  const hidden = conditions.find(({ kind }) => kind === 'visitors-hidden');
  const since = describeMoment(
    (state === 'running' ? (tooLong ?? hidden) : conditions.find(({ kind }) => kind === state))
      ?.since ?? now,
    now,
  );
  const waiting = describeWaiting(health);
  const stopped = (verdict: string, rest: string): StripWords => ({
    tone: 'stopped',
    line: [`${verdict}.`, `${rest} since ${since}. ${waiting}`],
    brief: [verdict, ` since ${since}`],
    link: 'What to do',
  });
  const waits = (
    verdict: string,
    rest: string,
    brief: string,
    link: StripWords['link'] = 'Sync',
  ): StripWords => ({
    tone: 'waiting',
    line: [`${verdict} since ${since}.`, rest],
    brief: [brief, ` since ${since}, ${formatCount(pending)} waiting`],
    link,
  });
  // Before the first visitor, the list says what to do.
  if (stepsLeft > 0 && pending === 0 && (state === 'running' || state === 'paused')) {
    return {
      tone: 'unknown',
      line: [
        'Not set up yet.',
        `${stepsLeft} of 6 steps ${stepsLeft === 1 ? 'is' : 'are'} left. Forms and payments are taken meanwhile and kept; nothing is lost.`,
      ],
      brief: ['Not set up yet.', ` ${stepsLeft} ${stepsLeft === 1 ? 'step' : 'steps'} left`],
      link: 'What is left',
    };
  }
  const unpaid = conditions.find(({ kind }) => isOfStripe(kind));
  // A lead that waits is not lost; who cannot pay may be.
  if (unpaid && (state === 'running' || state === 'outage' || state === 'paused')) {
    const begun = describeMoment(unpaid.since, now);
    const failed = describeFailedRequest(health, now);
    const tooFails = state === 'outage' ? 'Beehiiv fails too' : pause && describePauseReason(pause);
    const waits = describeWaiting(
      { ...health, conditions: [] },
      pause ? '' : ' and will be sent automatically',
    );
    const leads =
      pending === 0 ? 'Leads are stored and sent.' : `${failed ? `${failed} ` : ''}${waits}`;
    return {
      tone: 'stopped',
      line: [
        `Since ${begun}, nobody can subscribe.`,
        `${unpaid.text} ${tooFails ? `${tooFails}: ${waits}${nextTest(health, now)}` : leads}`,
      ],
      brief: [
        'Nobody can subscribe',
        pause
          ? '; sending paused'
          : tooFails || failed
            ? '; Beehiiv fails'
            : ` since ${begun}: Stripe fails`,
      ],
      link: 'What to do',
    };
  }
  switch (state) {
    case 'no-worker':
      return stopped('Nothing is being sent', 'No worker has been seen');
    case 'stalled':
      return stopped('Nothing is moving', 'The worker is up, but nothing has gone out');
    case 'cannot-write':
      return stopped('New leads are refused', 'The database has stored nothing');
    case 'not-set-up':
    case 'unknown': {
      const isNew = state === 'not-set-up';
      const verdict = isNew ? 'Not set up yet' : `Not known since ${since}`;
      const rest = isNew
        ? 'The database lacks migrations.'
        : 'The database does not say how the sync is.';
      return {
        tone: 'unknown',
        line: [`${verdict}.`, rest],
        brief: [verdict, ''],
        link: isNew ? 'What to do' : 'Sync',
      };
    }
    case 'paused': {
      const rest = `${pause ? `${describePause(pause)}. ` : ''}${waiting}${nextTest(health, now)}`;
      const words = waits('Paused', rest, 'Paused', 'What to do');
      return pause
        ? { ...words, brief: [describePauseReason(pause), `, ${formatCount(pending)} waiting`] }
        : words;
    }
    case 'outage': {
      const rest = describeWaiting(health, ' and will be sent automatically');
      return waits('Beehiiv has been failing', rest + nextTest(health, now), 'Beehiiv failing');
    }
    case 'running': {
      if (tooLong)
        return waits(
          pending === 1 ? 'A lead has waited' : 'Leads have waited',
          waiting,
          'Leads delayed',
        );
      if (hidden)
        return waits(
          'Visitors share one address',
          hidden.text,
          'Visitors share one address',
          'What to do',
        );
      const failed = describeFailedRequest(health, now);
      if (failed) {
        return {
          tone: 'waiting',
          line: [
            'Retrying.',
            `${failed} ${describeWaiting(health, ' and will be sent automatically')}${nextTest(health, now)}`,
          ],
          brief: ['Retrying', `, ${formatCount(pending)} waiting`],
          link: 'Sync',
        };
      }
      const count = pending === 0 ? 'nothing waiting' : `${formatCount(pending)} waiting`;
      const longest = describeDuration(
        now.getTime() - Date.parse(oldestPendingAt ?? now.toISOString()),
      );
      const rest = pending === 0 ? 'Nothing is waiting.' : `${count}, the longest for ${longest}.`;
      return {
        tone: 'running',
        line: ['Sending normally.', rest],
        brief: ['Sending normally', `, ${count}`],
        link: 'Sync',
      };
    }
  }
}

/** When the latest request to Beehiiv failed, if a lead waits because of it: before that counts as an outage. */
export function failedRequestAt({
  lastError,
  lastAcceptedAt,
  oldestPendingAt,
}: SyncHealthAnswer): string | undefined {
  const isRetried = lastError && oldestPendingAt && lastError.at > oldestPendingAt;
  return isRetried && lastError.at > (lastAcceptedAt ?? '') ? lastError.at : undefined;
}

export function describeFailedRequest(health: SyncHealthAnswer, now: Date): string | undefined {
  const at = failedRequestAt(health);
  const why = health.lastError?.reason;
  return (
    at &&
    `The latest request to Beehiiv failed at ${describeMoment(at, now)}${why ? `: ${describeAnswer(why)}` : ''}.`
  );
}

/** `4 leads are waiting, 1 of them pays; nothing is lost.` Says, too, that Stripe fails meanwhile. */
export function describeWaiting(
  { pending, payersWaiting, conditions }: SyncHealthAnswer,
  andThen = '',
): string {
  const unpaid = conditions.some(({ kind }) => isOfStripe(kind))
    ? ' Nobody can subscribe either.'
    : '';
  if (pending === 0) return `No new lead is waiting.${unpaid}`;
  const waiting = `${countOf(pending, 'lead')} ${pending === 1 ? 'is' : 'are'} waiting`;
  const paying =
    payersWaiting === 1 ? '1 of them pays' : `${formatCount(payersWaiting)} of them pay`;
  const payers = payersWaiting === 0 ? '' : pending === 1 ? ', and pays' : `, ${paying}`;
  return `${waiting}${andThen}${payers}; nothing is lost.${unpaid}`;
}

type Pause = NonNullable<SyncHealthAnswer['pause']>;

const describePause = (pause: Pause) =>
  `${describePauseReason(pause)} (${isAnySetting(pause.setting) ? 'the BEEHIIV_ settings' : pause.setting})`;

/** Says what Beehiiv refuses during a pause, without the name of the setting. */
function describePauseReason({ reason, setting }: Pause): string {
  if (setting.includes('API_KEY')) return 'Beehiiv refuses the key';
  if (setting.includes('PUBLICATION')) return 'Beehiiv does not know the publication';
  return isAnySetting(setting) ? 'Beehiiv refuses lead after lead' : reason;
}

function nextTest({ pause, outage, nextDueAt }: SyncHealthAnswer, now: Date): string {
  const at = pause?.nextProbeAt ?? outage?.nextAttemptAt ?? nextDueAt;
  if (!at) return '';
  const waitMs = Date.parse(at) - now.getTime();
  return waitMs < 1_000 ? ' Next test now.' : ` Next test in ${describeDuration(waitMs)}.`;
}
