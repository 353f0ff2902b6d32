import { useState } from 'react';
import type { ReactNode } from 'react';
import { ChevronIcon } from '../shared/console-icons.tsx';
import styles from './PersonView.module.css';

type FoldedProps = { title: string; aside: ReactNode; isOpen?: boolean; children: ReactNode };

/** A part of the page that opens when it is wanted, or once there is something in it. */
export function Folded({ title, aside, isOpen = false, children }: FoldedProps) {
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen && !wasOpen) setWasOpen(true);
  return (
    <details className={styles.folded} open={wasOpen}>
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
