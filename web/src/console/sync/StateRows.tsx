import type { CSSProperties, ReactNode } from 'react';
import { TONE_ICONS } from '../shared/console-icons.tsx';
import type { Tone } from '../shared/console-icons.tsx';
import styles from './SyncView.module.css';

export type StateRow = {
  tone: Tone;
  name: string;
  text: ReactNode;
  at?: ReactNode;
};

type StateRowsProps = { name: string; rows: readonly StateRow[] };

/** Lists parts or outages, each with its state as a shape and in words, and a time. */
export function StateRows({ name, rows }: StateRowsProps) {
  return (
    <ul
      className={styles.rows}
      style={{ '--rows': Math.ceil(rows.length / 2) } as CSSProperties}
      aria-label={name}
    >
      {rows.map(({ tone, name: row, text, at }, index) => {
        const Icon = TONE_ICONS[tone];
        return (
          <li key={`${row} ${index}`} data-tone={tone}>
            <Icon />
            <span>{row}</span>
            <span>{text}</span>
            <span className={styles.at}>{at}</span>
          </li>
        );
      })}
    </ul>
  );
}
