import type { ReactNode } from 'react';
import { ChevronIcon } from '../elements/console-icons.tsx';
import styles from './PersonView.module.css';

/** A part of the page that opens when it is wanted. */
export function Folded({ title, aside, children }: { title: string; aside: ReactNode; children: ReactNode }) {
  return (
    <details className={styles.folded}>
      <summary>
        <h2>{title}</h2> <small>{aside}</small>
        <span>
          <ChevronIcon />
        </span>
      </summary>
      {children}
    </details>
  );
}
