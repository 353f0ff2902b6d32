import type { ReactNode } from 'react';
import styles from './PageHead.module.css';

export function PageHead({ heading, children }: { heading: ReactNode; children: ReactNode }) {
  return (
    <div className={styles.head}>
      <h1>{heading}</h1>
      <div className={styles.text}>{children}</div>
    </div>
  );
}
