import type { ComponentProps } from 'react';
import { ChevronIcon } from './console-icons.tsx';
import styles from './Select.module.css';

/** A list to choose from, with an arrow of the console's. */
export function Select(props: ComponentProps<'select'>) {
  return (
    <span className={styles.select}>
      <select {...props} />
      <ChevronIcon />
    </span>
  );
}
