import { describeFault } from '../api/call-fault.ts';
import { UnknownIcon } from '../elements/console-icons.tsx';
import { LinkButton } from '../elements/LinkButton.tsx';
import { describeWait } from '../time/london-time.ts';
import { useNow } from '../time/use-now.ts';
import { Strip } from './Strip.tsx';
import { describeMoment } from './sync-labels.ts';
import styles from './SyncStrip.module.css';

type UnknownStripProps = {
  /** When the state of the sync was last known. */
  since: Date | undefined;
  nextTryAt: Date | undefined;
  fault: unknown;
  onTryAgain: () => Promise<unknown>;
};

/** Takes the place of the sync's state while the API does not answer. It is grey, because nobody knows. */
export function UnknownStrip({ since, nextTryAt, fault, onTryAgain }: UnknownStripProps) {
  const now = useNow(true);
  return (
    <Strip
      tone="unknown"
      icon={<UnknownIcon />}
      verdict={since ? `Unknown since ${describeMoment(since.toISOString(), now)}` : 'Unknown'}
      rest={`, retrying ${nextTryAt ? describeWait(nextTryAt.toISOString(), now) : 'now'}`}
    >
      <p className={styles.item}>
        <span>{describeFault(fault)}</span>
        <LinkButton onClick={() => void onTryAgain()}>Try now</LinkButton>
      </p>
    </Strip>
  );
}
