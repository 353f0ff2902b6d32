import type { ReactNode } from 'react';
import { FailedIcon, PendingIcon, SentIcon } from '../../ui/icons.tsx';
import { UnknownIcon } from '../elements/console-icons.tsx';
import { useNarrow } from '../elements/use-media.ts';
import type { StripWords, Tone } from './strip-words.ts';
import styles from './SyncStrip.module.css';

const ICONS: Record<Tone, () => ReactNode> = {
  running: SentIcon,
  waiting: PendingIcon,
  stopped: FailedIcon,
  unknown: UnknownIcon,
};

type StripProps = Omit<StripWords, 'hasRemedy'> & {
  /** Where to go or what to do, at the right. On a phone the whole strip is its target. */
  children: ReactNode;
};

/** The line below the top bar. Its verdict is announced; the rest is not, because it changes with every second. */
export function Strip({ tone, line, brief, children }: StripProps) {
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
