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
    <a className={styles.link} href={to} target="_blank" rel="noreferrer" title="Open in Stripe">
      {id}
    </a>
  );
}

type MoneyKindProps = {
  title: string;
  /** How many there are, if that is worth saying. */
  aside?: string;
  count: number;
  advice: ReactNode;
  /** Buttons for all of them. */
  acts?: ReactNode;
  /** What is under way. */
  state?: ReactNode;
  /** Below the items. */
  more?: ReactNode;
  children: ReactNode;
};

/** One kind of item that needs attention, with advice. Absent while there is none. */
export function MoneyKind({ title, aside, count, advice, acts, state, more, children }: MoneyKindProps) {
  if (count === 0) return null;
  return (
    <section className={styles.kind} aria-label={title}>
      <div className={styles.kindHead}>
        <h3>
          {title} {aside && <span className={styles.aside}>{aside}</span>}
        </h3>
        {acts && <div className={styles.kindActs}>{acts}</div>}
      </div>
      <p className={styles.advice}>{advice}</p>
      {state !== undefined && <output className={styles.state}>{state}</output>}
      <MoneyItems>{children}</MoneyItems>
      {more && <div className={styles.below}>{more}</div>}
    </section>
  );
}
