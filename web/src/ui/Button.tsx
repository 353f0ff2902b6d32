import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import styles from './Button.module.css';

type Look = {
  /** `solid` is the main action, and `line` any other. */
  look?: 'solid' | 'line';
  size?: 'control' | 'nav' | 'small';
};

type ButtonProps = ComponentProps<'button'> &
  Look & {
    pending?: boolean;
    pendingLabel?: string;
  };

/** Renders a button. While pending it shows that, keeps its width and focus, and ignores clicks. */
export function Button({
  look,
  size,
  pending = false,
  pendingLabel = 'Processing...',
  'aria-disabled': isDisabled,
  onClick,
  children,
  className,
  ...rest
}: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={classNames(lookClass({ look, size }), className)}
      {...(isDisabled && { 'data-unavailable': '' })}
      aria-disabled={pending || isDisabled || undefined}
      onClick={(event) => {
        if (pending) event.preventDefault();
        else onClick?.(event);
      }}
    >
      <span className={styles.labels}>
        <span className={pending ? styles.away : undefined} aria-hidden={pending || undefined}>
          {children}
        </span>
        {pending && <span>{pendingLabel}</span>}
      </span>
    </button>
  );
}

export function ButtonLink({
  look,
  size,
  className,
  children,
  ...rest
}: ComponentProps<'a'> & Look) {
  return (
    <a {...rest} className={classNames(lookClass({ look, size }), className)}>
      {children}
    </a>
  );
}

function lookClass({
  look = 'solid',
  size = 'control',
}: { [K in keyof Look]: Look[K] | undefined }): string {
  return classNames(styles.button, styles[look], size !== 'control' && styles[size]);
}
