import type { SyncHealthAnswer } from '@site/schema/calls/sync';
import { Link } from 'react-router-dom';
import { describeFault, isUnreachable } from '../api/call-fault.ts';
import { LinkButton } from '../elements/LinkButton.tsx';
import { useView } from '../navigation/console-views.ts';
import type { ConsoleView } from '../navigation/console-views.ts';
import { formatTime } from '../time/london-time.ts';
import { useNow } from '../time/use-now.ts';
import { describeSync } from './strip-words.ts';
import { Strip } from './Strip.tsx';
import { describeMoment } from './sync-labels.ts';
import styles from './SyncStrip.module.css';
import { useSyncHealth } from './use-sync-health.ts';

const SYNC = { search: `view=${'sync' satisfies ConsoleView}` };

/** Says on every view whether leads are reaching Beehiiv, and leads to what to do if not. */
export function SyncStrip() {
  const { health, unknown, reload } = useSyncHealth();
  const now = useNow(health !== undefined && (health.state !== 'running' || health.pending > 0));
  if (unknown) return <UnknownStrip {...unknown} now={now} onTryAgain={reload} />;
  return health ? <HealthStrip health={health} now={now} /> : <div className={styles.strip} />;
}

function HealthStrip({ health, now }: { health: SyncHealthAnswer; now: Date }) {
  const isOpen = useView() === 'sync';
  const { hasRemedy, ...words } = describeSync(health, now);
  return (
    <Strip {...words}>{(hasRemedy || !isOpen) && <Link to={SYNC}>{hasRemedy ? 'What to do' : 'Sync'}</Link>}</Strip>
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
  const at = since ? ` since ${describeMoment(since.toISOString(), now)}` : '';
  const why = isUnreachable(fault) ? 'This page cannot reach the server' : describeFault(fault).replace(/\.$/u, '');
  return (
    <Strip
      tone="unknown"
      line={[`Not known${at}.`, `${why}${since ? `; everything below is from ${formatTime(since)}` : ''}.`]}
      brief={['Not known', at]}
    >
      <LinkButton onClick={() => void onTryAgain()}>Try again</LinkButton>
    </Strip>
  );
}
