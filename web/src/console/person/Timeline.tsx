import type { HistoryEntry, LeadDetailAnswer } from '@site/schema/calls/leads';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { describeBegin } from '../lead/lead-labels.ts';
import type { Halt } from '../lead/lead-labels.ts';
import { STATUS_ICONS } from '../lead/LeadStatus.tsx';
import { useOpenLead } from '../navigation/open-lead.ts';
import { formatClock, formatDay, formatFully, isSameDay } from '../shared/london-time.ts';
import { describeAttempt } from './attempt-labels.ts';
import type { AttemptTone } from './attempt-labels.ts';
import styles from './Drawer.module.css';
import { HistorySentence, toneOf } from './HistorySentence.tsx';

type TimelineProps = { detail: LeadDetailAnswer; now: Date; halt: Halt };
type Step = {
  key: string;
  at: Date;
  /** Its place within a second, because Stripe's times have no milliseconds. */
  rank: number;
  tone: AttemptTone;
  sentence: ReactNode;
  technical?: string;
};

/** What happened to the person in order: forms, attempts, checkouts, payments, and what operators did. */
export function Timeline({ detail, now, halt }: TimelineProps) {
  const { lead, history, correctedFrom } = detail;
  const { linkTo } = useOpenLead();
  const savedAt = new Date(lead.submittedAt);
  const saved: Step = {
    key: 'saved',
    at: savedAt,
    tone: 'plain',
    sentence: correctedFrom ? (
      <>
        Copied from{' '}
        <Link to={{ search: linkTo(correctedFrom.id) }}>
          <bdi>{correctedFrom.email}</bdi>
        </Link>
        .
      </>
    ) : (
      describeBegin(detail)
    ),
    rank: 0,
  };
  const isHeld =
    lead.quarantineReason !== null || history.some(({ detail: did }) => did === 'send-quarantined');
  const held: Step = {
    ...saved,
    key: 'quarantined',
    tone: 'quarantined',
    sentence: 'Looks automated, so not sent.',
  };
  const steps = [
    ...history.map(toStep),
    saved,
    ...(isHeld ? [held] : []),
    ...listAttempts(detail, now, halt),
  ].toSorted((a, b) => toSecond(a) - toSecond(b) || a.rank - b.rank || +a.at - +b.at);
  return (
    <section aria-label="Timeline">
      <h3 className={styles.section}>
        Timeline
        <span className={styles.aside}>UK time</span>
      </h3>
      <ol className={styles.attempts}>
        {steps.map(({ key, rank: _, ...step }, index) => {
          const before = steps[index - 1];
          const isNewDay = before === undefined || !isSameDay(before.at, step.at);
          return (
            <TimelineStep
              key={key}
              {...step}
              day={isNewDay ? `${formatDay(step.at, now)}, ` : ''}
            />
          );
        })}
      </ol>
    </section>
  );
}

const RANKS: Partial<Record<HistoryEntry['kind'], number>> = {
  form: 0,
  checkout: 2,
  subscribed: 3,
  invoice: 4,
};
const LAST = 5;

const toSecond = ({ at }: Step) => Math.floor(at.getTime() / 1_000);

function listAttempts({ lead, attempts }: LeadDetailAnswer, now: Date, halt: Halt): Step[] {
  const inOrder = attempts.toReversed();
  return inOrder.map((attempt, index) => ({
    key: attempt.id,
    at: new Date(attempt.startedAt),
    rank: LAST,
    ...describeAttempt(attempt, {
      lead,
      before: inOrder[index - 1]?.message,
      following: inOrder[index + 1],
      now,
      halt,
    }),
    ...(attempt.round !== inOrder[0]?.round && { technical: 'After a retry' }),
  }));
}

function toStep(entry: HistoryEntry): Step {
  return {
    key: `${entry.at} ${entry.kind} ${entry.subject} ${entry.detail}`,
    at: new Date(entry.at),
    rank: entry.kind === 'checkout' && entry.detail === 'opened' ? 1 : (RANKS[entry.kind] ?? LAST),
    tone: toneOf(entry),
    sentence: <HistorySentence entry={entry} />,
  };
}

type TimelineStepProps = Omit<Step, 'key' | 'rank'> & {
  /** The date before the time of day. */
  day: string;
};

function TimelineStep({ at, day, tone, sentence, technical }: TimelineStepProps) {
  const Icon = tone === 'plain' ? undefined : STATUS_ICONS[tone];
  return (
    <li className={styles.attempt}>
      <time dateTime={at.toISOString()} title={formatFully(at)}>
        {day}
        {formatClock(at)}
      </time>
      <span className={styles.mark} data-tone={tone}>
        {Icon ? <Icon /> : <span className={styles.ring} />}
      </span>
      <span className={styles.sentence}>
        {sentence}
        {technical && <small className={styles.technical}>{technical}</small>}
      </span>
    </li>
  );
}
