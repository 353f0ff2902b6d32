import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { toasts } from './toast-store.ts';
import styles from './Button.module.css';

type Look = {
  /** Why it cannot be pressed now. */
  unavailable?: string | undefined;
  /** `solid` is the main action, and `line` any other. */
  look?: 'solid' | 'line';
  size?: 'control' | 'nav' | 'small';
  /** On the dark band. */
  onBand?: boolean;
  wide?: boolean;
};

type ButtonProps = ComponentProps<'button'> &
  Look & {
    pending?: boolean;
    pendingLabel?: string;
  };

/** A button. While pending or unavailable it shows that, keeps its width and focus, and ignores clicks. An unavailable one gives the reason. */
export function Button({
  look,
  size,
  onBand,
  wide,
  pending = false,
  pendingLabel = 'Processing...',
  unavailable,
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
      className={classNames(lookClass({ look, size, onBand, wide }), className)}
      {...describeUnavailable(unavailable)}
      {...(isDisabled && { 'data-unavailable': '' })}
      aria-disabled={pending || unavailable !== undefined || isDisabled || undefined}
      onClick={(event) => {
        if (pending || unavailable !== undefined) event.preventDefault();
        else onClick?.(event);
        if (unavailable !== undefined) sayWhy(unavailable);
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
  className,
  children,
  ...rest
}: ComponentProps<'a'> & Omit<Look, 'unavailable'>) {
  const { look, size, onBand, wide, ...others } = rest;
  return (
    <a {...others} className={classNames(lookClass({ look, size, onBand, wide }), className)}>
      {children}
    </a>
  );
}

/** A finger cannot ask for the title. */
const sayWhy = (why: string): void => void toasts.add({ title: why });

const describeUnavailable = (why: string | undefined) =>
  why === undefined ? {} : { title: why, 'data-unavailable': '' };

function lookClass({
  look = 'solid',
  size = 'control',
  onBand = false,
  wide = false,
}: { [K in keyof Omit<Look, 'unavailable'>]: Look[K] | undefined }): string {
  return classNames(
    styles.button,
    styles[look],
    size !== 'control' && styles[size],
    onBand && styles.band,
    wide && styles.wide,
  );
}
