import type { SyncHealthAnswer } from '@site/schema/calls/sync';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { toFailureText } from '../api/failure.ts';
import { useLive } from '../api/live.tsx';
import { useApiData } from '../api/data.tsx';
import { useView } from '../navigation.ts';
import type { ConsoleView } from '../navigation.ts';
import { TONE_ICONS } from '../shared/console-icons.tsx';
import type { Tone } from '../shared/console-icons.tsx';
import { formatDuration, toMomentText, formatCount } from '../shared/format.ts';
import { LinkButton } from '../shared/fields.tsx';
import { useNow } from '../shared/use-now.ts';
import styles from './SyncStrip.module.css';

/** Nothing announces a stopped worker or a stalled API, so the strip polls. */
const AGAIN_MS = 5_000;

/** Shows on every view whether leads reach Beehiiv, with a link to the remedy. */
export function SyncStrip({ attention }: { attention: number }) {
  const { data, failure, reload } = useApiData(
    'GET /api/admin/sync',
    {},
    { refreshInterval: AGAIN_MS },
  );
  const { staleSince } = useLive();
  const now = useNow(data !== undefined && data.pending > 0);
  if (failure !== undefined) {
    const label = staleSince
      ? `Out of date since ${toMomentText(staleSince, now)}.`
      : 'Status not loaded.';
    return (
      <Strip tone="none" label={label} fact={toFailureText(failure)}>
        <LinkButton onClick={() => void reload()}>Try again</LinkButton>
      </Strip>
    );
  }
  if (!data) return <output className={styles.strip}>Checking the sync...</output>;
  return <HealthStrip health={data} attention={attention} now={now} />;
}

type HealthStripProps = { health: SyncHealthAnswer; attention: number; now: Date };

function HealthStrip({ health, attention, now }: HealthStripProps) {
  const view = useView();
  const worst = health.conditions.find(({ strip }) => strip);
  if (worst) {
    const [label = '', ...facts] = worst.text.split(/(?<=\.) /u);
    return (
      <Strip
        tone={worst.strip ?? 'none'}
        label={label}
        fact={facts.at(-1) ?? toWaitingText(health, now)}
      >
        <Link to={{ search: `view=${'sync' satisfies ConsoleView}` }}>What to do</Link>
      </Strip>
    );
  }
  const isListed = attention > 0 && view !== 'overview';
  return (
    <Strip tone="sent" label="New subscribers reach Beehiiv." fact={toWaitingText(health, now)}>
      {isListed && (
        <Link to={{ search: `view=${'overview' satisfies ConsoleView}` }}>
          {formatCount(attention)} {attention === 1 ? 'needs' : 'need'} attention
        </Link>
      )}
      {!isListed && view !== 'sync' && (
        <Link to={{ search: `view=${'sync' satisfies ConsoleView}` }}>Sync</Link>
      )}
    </Strip>
  );
}

function toWaitingText({ pending, oldestPendingAt }: SyncHealthAnswer, now: Date): string {
  if (pending === 0) return 'Nothing is waiting.';
  // The wait of a bulk retry's leads does not count.
  if (oldestPendingAt === null) return `${formatCount(pending)} waiting.`;
  const longest = formatDuration(now.getTime() - Date.parse(oldestPendingAt));
  return `${formatCount(pending)} waiting, the longest for ${longest}.`;
}

type StripProps = { tone: Tone; label: string; fact: string; children: ReactNode };

/**
 * Renders the line below the top bar. Only its label is announced. On a phone the whole strip is
 * its link's target.
 */
function Strip({ tone, label, fact, children }: StripProps) {
  const Icon = TONE_ICONS[tone];
  return (
    <section className={styles.strip} data-tone={tone} aria-label="Sync to Beehiiv">
      <Icon />
      <p>
        <output className={styles.verdict}>{label}</output> {fact}
      </p>
      {children}
    </section>
  );
}
