import type { ReactNode } from 'react';
import { formatFully, formatMoment } from '../time/london-time.ts';
import styles from './MoneyItem.module.css';

type MoneyItemProps = {
  at: string;
  /** What happened then, where the time does not say it. */
  timeIs?: string;
  now: Date;
  what: ReactNode;
  more: ReactNode;
  /** What can be done about it. */
  acts?: ReactNode;
  /** What it opens to. */
  children?: ReactNode;
};

/** A line of the money view's lists: when in the margin, what and why beside it, what can be done at the right. */
export function MoneyItem({ at, timeIs, now, what, more, acts, children }: MoneyItemProps) {
  const moment = new Date(at);
  return (
    <li className={styles.item}>
      <span className={styles.what}>{what}</span>
      <span className={styles.more}>{more}</span>
      <time className={styles.when} dateTime={at} title={[timeIs, formatFully(moment)].filter(Boolean).join(' ')}>
        {formatMoment(moment, now)}
      </time>
      {acts && <div className={styles.acts}>{acts}</div>}
      {children}
    </li>
  );
}

export function MoneyItems({ children }: { children: ReactNode }) {
  return <ul className={styles.items}>{children}</ul>;
}

/** An id of Stripe's, which may be broken anywhere. */
export function StripeId({ children }: { children: string }) {
  return <code className={styles.id}>{children}</code>;
}
