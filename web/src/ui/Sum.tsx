import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './Sum.module.css';

type SumProps = {
  terms: readonly { label: string; working?: string; value: ReactNode }[];
  result: { label: string; value: ReactNode };
  onBand?: boolean;
  /** Taller lines, where the sum is the page's main content. */
  roomy?: boolean;
};

/** A sum in ledger style: its terms, then the result over a double line. */
export function Sum({ terms, result, onBand = false, roomy = false }: SumProps) {
  return (
    <dl className={classNames(styles.sum, onBand && styles.band, roomy && styles.roomy)}>
      {terms.map(({ label, working, value }) => (
        <div key={label} className={styles.term}>
          <dt>{label}</dt>
          <dd>
            {working && <span className={styles.working}>{working}</span>}
            {value}
          </dd>
        </div>
      ))}
      <div className={styles.result}>
        <dt>{result.label}</dt>
        <dd>{result.value}</dd>
      </div>
    </dl>
  );
}
