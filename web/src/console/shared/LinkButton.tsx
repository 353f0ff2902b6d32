import type { ComponentProps } from 'react';
import buttons from '../../ui/Button.module.css';
import { classNames } from '../../ui/class-names.ts';
import styles from './LinkButton.module.css';

/** A link within the console that looks like the buttons beside it. */
export const lineButton = classNames(buttons.button, buttons.line, buttons.small);

/** A button that looks like a link, for use in a line of text. */
export function LinkButton({ className, ...rest }: ComponentProps<'button'>) {
  return (
    <button type="button" {...rest} className={classNames('in-text', styles.link, className)} />
  );
}
