import type { ComponentProps } from 'react';
import buttons from '../../ui/Button.module.css';
import { describeUnavailable, sayWhy } from '../../ui/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { useUnavailable } from '../api/freshness.ts';
import styles from './LinkButton.module.css';

/** A link within the console that looks like the buttons beside it, and one that is the main action. */
export const lineButton = classNames(buttons.button, buttons.line, buttons.small);
export const solidButton = classNames(buttons.button, buttons.solid, buttons.small);

/** A button that looks like a link, for use in a line of text. */
export function LinkButton({ className, ...rest }: ComponentProps<'button'>) {
  return (
    <button type="button" {...rest} className={classNames('in-text', styles.link, className)} />
  );
}

/** One for what only the server can do. While it cannot be reached the link shows so, and a press says why. */
export function CallLink({ onClick, ...rest }: ComponentProps<'button'>) {
  const why = useUnavailable();
  if (why === undefined) return <LinkButton {...rest} onClick={onClick} />;
  return (
    <LinkButton {...rest} {...describeUnavailable(why)} aria-disabled onClick={() => sayWhy(why)} />
  );
}
