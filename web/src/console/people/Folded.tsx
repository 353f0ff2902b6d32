import type { ReactNode } from 'react';
import { ChevronIcon } from '../elements/console-icons.tsx';
import styles from './PersonView.module.css';

type FoldedProps = { title: string; aside: ReactNode; isOpen?: boolean; children: ReactNode };

/** A part of the page that opens when it is wanted. */
export function Folded({ title, aside, isOpen = false, children }: FoldedProps) {
  return (
    <details className={styles.folded} open={isOpen}>
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
