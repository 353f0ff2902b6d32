import { OFFER } from '@site/schema/offer';
import type { ReactNode } from 'react';
import { Brand } from '../../../ui/Brand.tsx';
import styles from './EntryPage.module.css';

/** A page of the console that stands for itself: the bar with the name, and one narrow column. */
export function EntryPage({ title, children }: { title?: string; children?: ReactNode }) {
  return (
    <div className={styles.page}>
      <header className={styles.bar}>
        <Brand name={OFFER.productName} />
      </header>
      <main className={styles.column}>
        {title && <h1 className={styles.title}>{title}</h1>}
        {children}
      </main>
    </div>
  );
}
