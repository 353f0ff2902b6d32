import type { ReactNode } from 'react';
import styles from './MoneyKind.module.css';
import { MoneyItems } from './MoneyItem.tsx';

type MoneyKindProps = { title: string; count: number; advice: ReactNode; children: ReactNode };

/** One kind of item that needs attention, with advice. Absent while there is none. */
export function MoneyKind({ title, count, advice, children }: MoneyKindProps) {
  if (count === 0) return null;
  return (
    <section className={styles.kind} aria-label={title}>
      <h3>{title}</h3>
      <p className={styles.advice}>{advice}</p>
      <MoneyItems>{children}</MoneyItems>
    </section>
  );
}
