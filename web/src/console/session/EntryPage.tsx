import { OFFER } from '@site/schema/offer';
import type { ReactNode } from 'react';
import { Brand } from '../../ui/Brand.tsx';
import styles from './EntryPage.module.css';

/** Renders the page before the console: the product's name, and one narrow column. */
export function EntryPage({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={styles.page}>
      <header className={styles.bar}>
        <Brand name={OFFER.productName} />
      </header>
      <main className={styles.column}>
        <h1 className={styles.title}>{title}</h1>
        {children}
      </main>
    </div>
  );
}
