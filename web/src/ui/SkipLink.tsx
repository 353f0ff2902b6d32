import type { ComponentProps } from 'react';
import styles from './SkipLink.module.css';

/** The first thing the keyboard meets on a page with much at its head, and seen only then. */
export function SkipLink({ children, ...rest }: Omit<ComponentProps<'a'>, 'className'>) {
  return (
    <a {...rest} className={styles.skip}>
      {children}
    </a>
  );
}
