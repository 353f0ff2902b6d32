import type { ComponentProps } from 'react';
import styles from './SkipLink.module.css';

/**
 * Renders the first link for keyboard users on a page with a long header. Visible only on focus.
 */
export function SkipLink({ children, ...rest }: Omit<ComponentProps<'a'>, 'className'>) {
  return (
    <a {...rest} className={styles.skip}>
      {children}
    </a>
  );
}
