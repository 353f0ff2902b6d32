import styles from './ShareBar.module.css';

export type SharePart = { share: number; tone: 'sample' | 'buy' | 'sent' };

/** Draws a counter's share of all leads. The note below the counter says the same in words. */
export function ShareBar({ parts }: { parts: readonly SharePart[] }) {
  return (
    <svg className={styles.bar} width="100%" height="8" aria-hidden="true">
      <rect className={styles.whole} width="100%" height="8" />
      {parts.map(({ share, tone }, index) => {
        const before = parts.slice(0, index).reduce((sum, part) => sum + part.share, 0);
        return <rect key={tone} data-tone={tone} x={`${before * 100}%`} width={`${share * 100}%`} height="8" />;
      })}
    </svg>
  );
}
