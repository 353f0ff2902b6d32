import type { ReactNode } from 'react';
import styles from './EmptyView.module.css';

export function EmptyView({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles.empty}>
      <p className={styles.title}>{title}</p>
      <p className={styles.words}>{children}</p>
    </div>
  );
}
