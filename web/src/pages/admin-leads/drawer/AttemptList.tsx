import type { LeadDetailAnswer } from '@site/schema/admin';
import { STATUS_ICONS } from '../lead/LeadStatus.tsx';
import { formatClock, formatFully, formatMoment, isSameDay, zoneName } from '../time/london-time.ts';
import { describeAttempt } from './attempt-labels.ts';
import type { AttemptTone } from './attempt-labels.ts';
import styles from './Drawer.module.css';

type AttemptListProps = { detail: LeadDetailAnswer; now: Date; isPaused: boolean };

/** The lead's history in order: the time, what happened, and how long it took. */
export function AttemptList({ detail: { lead, attempts }, now, isPaused }: AttemptListProps) {
  const inOrder = attempts.toReversed();
  const savedAt = new Date(lead.submittedAt);
  const rounds = new Set(inOrder.map(({ round }) => round)).size;
  return (
    <section aria-label="Attempts">
      <h3 className={styles.section}>
        Attempts
        <span className={styles.aside}>
          {rounds > 1 ? `${rounds} rounds` : 'Round 1'}, times in {zoneName(savedAt)}
        </span>
      </h3>
      <ol className={styles.attempts}>
        <Step at={savedAt} now={now} tone="plain" sentence="Saved." />
        {inOrder.map((attempt, index) => (
          <Step
            key={attempt.id}
            at={new Date(attempt.startedAt)}
            now={now}
            {...describeAttempt(attempt, { lead, following: inOrder[index + 1], now, isPaused })}
            took={attempt.tookMs === null ? undefined : `${(attempt.tookMs / 1_000).toFixed(1)} s`}
            technical={`${rounds > 1 ? `Round ${attempt.round}. ` : ''}Attempt ${attempt.id}`}
          />
        ))}
      </ol>
    </section>
  );
}

type StepProps = {
  at: Date;
  now: Date;
  tone: AttemptTone;
  sentence: string;
  took?: string | undefined;
  technical?: string;
};

function Step({ at, now, tone, sentence, took, technical }: StepProps) {
  const Icon = tone === 'plain' ? undefined : STATUS_ICONS[tone];
  return (
    <li className={styles.attempt}>
      <time dateTime={at.toISOString()} title={formatFully(at)}>
        {isSameDay(at, now) ? formatClock(at) : formatMoment(at, now)}
      </time>
      <span className={styles.mark} data-tone={tone}>
        {Icon ? <Icon /> : <span className={styles.ring} />}
      </span>
      <span className={styles.sentence}>
        {sentence}
        {technical && <small className={styles.technical}>{technical}</small>}
      </span>
      <span className={styles.took}>{took}</span>
    </li>
  );
}
