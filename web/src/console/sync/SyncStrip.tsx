import type { SyncHealthAnswer } from '@site/schema/calls/sync';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { FailedIcon, PendingIcon, SentIcon } from '../../ui/icons.tsx';
import { describeFault, isUnreachable } from '../api/call-fault.ts';
import { UnknownIcon } from '../shared/console-icons.tsx';
import { formatCount } from '../shared/format-count.ts';
import { LinkButton } from '../shared/LinkButton.tsx';
import { useNarrow } from '../shared/use-media.ts';
import { useView } from '../navigation/console-views.ts';
import type { ConsoleView } from '../navigation/console-views.ts';
import { describeMoment } from '../shared/london-time.ts';
import { useNow } from '../shared/use-now.ts';
import { countLeft } from '../set-up/set-up-steps.tsx';
import { useKnownSetUp } from '../set-up/use-set-up.ts';
import { describeSync } from './strip-words.ts';
import type { StripWords, Tone } from './strip-words.ts';
import styles from './SyncStrip.module.css';
import { useSyncHealth } from './use-sync-health.ts';

/** Says on every view whether leads are reaching Beehiiv, and leads to what to do if not, else to what else needs attention. */
export function SyncStrip({ attention }: { attention: number }) {
  const { health, unknown, reload } = useSyncHealth();
  const now = useNow(health !== undefined && (health.state !== 'running' || health.pending > 0));
  if (unknown) return <UnknownStrip {...unknown} now={now} onTryAgain={reload} />;
  return health ? <HealthStrip health={health} attention={attention} now={now} /> : <Checking />;
}

const Checking = () => <output className={styles.strip}>Checking the sync...</output>;

type HealthStripProps = { health: SyncHealthAnswer; attention: number; now: Date };

function HealthStrip({ health, attention, now }: HealthStripProps) {
  const view = useView();
  const { setUp, isAwaited } = useKnownSetUp(health);
  if (isAwaited) return <Checking />;
  const { link, ...words } = describeSync(health, now, setUp && countLeft(setUp));
  const to: ConsoleView | undefined = link === 'What is left' ? undefined : 'sync';
  const isHere = view === to && link !== 'What to do';
  if (words.tone === 'running' && attention > 0 && view !== 'overview') {
    return (
      <Strip {...words}>
        <Link to={{ search: `view=${'overview' satisfies ConsoleView}` }}>
          {formatCount(attention)} {attention === 1 ? 'needs' : 'need'} attention
        </Link>
      </Strip>
    );
  }
  return (
    <Strip {...words}>
      {!isHere && <Link to={to ? { search: `view=${to}` } : '/admin-leads'}>{link}</Link>}
    </Strip>
  );
}

type UnknownStripProps = {
  /** When the state of the sync was last known. */
  since: Date | undefined;
  fault: unknown;
  now: Date;
  onTryAgain: () => Promise<unknown>;
};

/** Takes the place of the sync's state while the API does not answer. */
function UnknownStrip({ since, fault, now, onTryAgain }: UnknownStripProps) {
  const at = since ? ` since ${describeMoment(since, now)}` : '';
  const why = isUnreachable(fault)
    ? 'This page cannot reach the server'
    : describeFault(fault).replace(/\.$/u, '');
  return (
    <Strip
      tone="unknown"
      line={[`Not known${at}.`, `${why}.`]}
      brief={[isUnreachable(fault) ? 'Cannot reach the server' : 'Not known', at]}
    >
      <LinkButton onClick={() => void onTryAgain()}>Try again</LinkButton>
    </Strip>
  );
}

const ICONS: Record<Tone, () => ReactNode> = {
  running: SentIcon,
  waiting: PendingIcon,
  stopped: FailedIcon,
  unknown: UnknownIcon,
};

type StripProps = Omit<StripWords, 'link'> & {
  /** Where to go or what to do, at the right. On a phone the whole strip is its target. */
  children: ReactNode;
};

/** The line below the top bar. Its verdict is announced; the rest is not, because it changes with every second. */
function Strip({ tone, line, brief, children }: StripProps) {
  const [verdict, rest] = useNarrow() ? brief : [line[0], ` ${line[1]}`];
  const Icon = ICONS[tone];
  return (
    <section className={styles.strip} data-tone={tone} aria-label="Sync to Beehiiv">
      <Icon />
      <p>
        <output className={styles.verdict}>{verdict}</output>
        {rest}
      </p>
      {children}
    </section>
  );
}
