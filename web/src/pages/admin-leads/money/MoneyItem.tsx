import type { ReactNode } from 'react';
import { formatFully, formatMoment } from '../time/london-time.ts';
import styles from './MoneyItem.module.css';

type MoneyItemProps = {
  at?: string;
  /** What happened at that time, for the tooltip. */
  timeIs?: string;
  now?: Date;
  what: ReactNode;
  more: ReactNode;
  /** Buttons. */
  acts?: ReactNode;
  /** Details below the item. */
  children?: ReactNode;
};

/** A list item of the money view: the time, if it has one, what happened and why, and what the operator can do. */
export function MoneyItem({ at, timeIs, now, what, more, acts, children }: MoneyItemProps) {
  return (
    <li className={styles.item}>
      <span className={styles.what}>{what}</span>
      <span className={styles.more}>{more}</span>
      {at && now && (
        <time
          className={styles.when}
          dateTime={at}
          title={[timeIs, formatFully(new Date(at))].filter(Boolean).join(' ')}
        >
          {formatMoment(new Date(at), now)}
        </time>
      )}
      {acts && <div className={styles.acts}>{acts}</div>}
      {children}
    </li>
  );
}

export function MoneyItems({ children }: { children: ReactNode }) {
  return <ul className={styles.items}>{children}</ul>;
}

/** An id of Stripe's, which wraps anywhere, and opens there if it has an address. */
export function StripeId({ to, children }: { to?: string; children: string }) {
  const id = <code className={styles.id}>{children}</code>;
  if (to === undefined) return id;
  return (
    <a href={to} target="_blank" rel="noreferrer" title="Open in Stripe">
      {id}
    </a>
  );
}

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
