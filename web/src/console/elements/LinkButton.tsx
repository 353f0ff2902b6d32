import type { ComponentProps } from 'react';
import { classNames } from '../../ui/class-names.ts';
import styles from './LinkButton.module.css';

/** A button that looks like a link, for use in a line of text. */
export function LinkButton({ className, ...rest }: ComponentProps<'button'>) {
  return <button type="button" {...rest} className={classNames(styles.link, className)} />;
}
