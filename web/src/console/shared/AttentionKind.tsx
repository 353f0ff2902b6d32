import { useState } from 'react';
import type { ReactNode } from 'react';
import { TONE_ICONS } from './console-icons.tsx';
import type { Tone } from './console-icons.tsx';
import { formatCount } from './format.ts';
import { LinkButton } from './fields.tsx';
import styles from './AttentionKind.module.css';

/** A row's subject, reason, amount and one remedy. */
export type AttentionItem = {
  key: string;
  who?: ReactNode;
  /** Text below the title, such as the email. */
  detail?: ReactNode;
  why: ReactNode;
  /** The start, and other explanations. */
  more?: ReactNode;
  amount?: string;
  act?: ReactNode;
};

export type AttentionKindProps = {
  tone: Tone;
  title: string;
  note?: ReactNode;
  items: readonly AttentionItem[];
};

const SHOWN = 5;

export function AttentionKind({ tone, title, note, items }: AttentionKindProps) {
  const [areAllShown, showAll] = useState(false);
  if (items.length === 0) return null;
  const Icon = TONE_ICONS[tone];
  const shown = areAllShown ? items : items.slice(0, SHOWN);
  return (
    <section className={styles.kind} data-tone={tone} aria-label={title}>
      <div className={styles.name}>
        <Icon />
        <h3>{title}</h3>
        {note && <p>{note}</p>}
      </div>
      <ul>
        {shown.map(({ key, who, detail, why, more, amount, act }) => (
          <li key={key} className={styles.row}>
            <div className={styles.who}>
              {who && <strong>{who}</strong>}
              {detail && <span className={styles.small}>{detail}</span>}
            </div>
            <div className={styles.why}>
              {why}
              {more && <span className={styles.small}>{more}</span>}
            </div>
            <div className={styles.amount}>{amount}</div>
            <div className={styles.act}>{act}</div>
          </li>
        ))}
        {items.length > shown.length && (
          <li className={styles.rest}>
            <LinkButton onClick={() => showAll(true)}>
              Show all {formatCount(items.length)}
            </LinkButton>
          </li>
        )}
      </ul>
    </section>
  );
}
