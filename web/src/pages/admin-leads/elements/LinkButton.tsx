import type { ComponentProps } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import styles from './LinkButton.module.css';

/** Does something, and looks like a link because it stands in a line of text. */
export function LinkButton({ className, ...rest }: ComponentProps<'button'>) {
  return <button type="button" {...rest} className={classNames(styles.link, className)} />;
}
