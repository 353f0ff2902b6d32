import type { ReactNode } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { useNarrow } from '../elements/use-media.ts';
import styles from './SyncStrip.module.css';

/** Good, needs patience, needs a person, or not known. */
type Tone = 'running' | 'waiting' | 'stopped' | 'unknown';
type StripProps = {
  tone: Tone;
  icon: ReactNode;
  verdict: string;
  /** The rest of the verdict's sentence, which is not announced because it changes with every second. */
  rest?: string;
  /** The most important fact, which stands beside the verdict on a phone. */
  brief?: string;
  children: ReactNode;
};

/** The strip below the top bar: a verdict, which is announced, and the facts behind it. On a phone they show on demand. */
export function Strip({ tone, icon, verdict, rest = '', brief, children }: StripProps) {
  const isFolded = useNarrow();
  return (
    <section className={styles.strip} data-tone={tone} data-folded={isFolded || undefined} aria-label="Sync to Beehiiv">
      {isFolded ? (
        <>
          {/* Not inside, where it would be no part of the summary's name. */}
          <output className="visually-hidden">{verdict}</output>
          <details>
            <summary className={classNames(styles.item, styles.verdict)}>
              {icon}
              <span>{[verdict + rest, brief].filter(Boolean).join(' · ')}</span>
              <span className={styles.unfold}>Details</span>
            </summary>
            <div className={styles.items}>{children}</div>
          </details>
        </>
      ) : (
        <div className={styles.items}>
          <p className={classNames(styles.item, styles.verdict)}>
            {icon}
            <span>
              <output>{verdict}</output>
              {rest}
            </span>
          </p>
          {children}
        </div>
      )}
    </section>
  );
}

type FactProps = { name: string; value: string; last?: boolean; long?: boolean };

export function Fact({ name, value, last = false, long = false }: FactProps) {
  return (
    <p className={classNames(styles.item, last && styles.last, long && styles.long)} title={long ? value : undefined}>
      <span className={styles.name}>{name}</span> <strong>{value}</strong>
    </p>
  );
}
