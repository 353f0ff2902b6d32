import type { ReactNode } from 'react';
import styles from './Sum.module.css';

type SumProps = {
  terms: readonly { label: string; working?: string; value: ReactNode }[];
  result: { label: string; value: ReactNode };
};

/** Renders a sum in ledger style: its terms, then the result over a double line. */
export function Sum({ terms, result }: SumProps) {
  return (
    <dl className={styles.sum}>
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
