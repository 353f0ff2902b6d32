import type { ComponentProps } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { ChevronIcon } from './console-icons.tsx';
import styles from './Select.module.css';

/** A list to choose from, with an arrow of the console's. */
export function Select({ className, ...rest }: ComponentProps<'select'>) {
  return (
    <span className={classNames(styles.select, className)}>
      <select {...rest} />
      <ChevronIcon />
    </span>
  );
}
