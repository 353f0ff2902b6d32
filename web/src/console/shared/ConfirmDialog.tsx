import type { ReactNode } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogTitle } from '../../ui/Dialog.tsx';
import styles from './dialog.module.css';
import { focusFailure } from './focus.ts';

type ConfirmDialogProps = {
  title: string;
  person?: string | undefined;
  /** What the button that confirms says. Without it there is nothing to confirm. */
  submit?: ReactNode;
  /** What the button that changes nothing says, where "Cancel" would be taken for the action. */
  dismiss?: string;
  /**
   * It cannot be undone: the focus begins on the button that changes nothing, and the other is red.
   */
  isFinal?: boolean;
  isPending?: boolean;
  /** Not yet known what would be confirmed. */
  isDisabled?: boolean;
  /** A failure that belongs to no field. */
  failure?: string | undefined;
  /** Resolves with the answer, where a field may be refused. */
  onSubmit?: () => unknown;
  onClose: () => void;
  children?: ReactNode;
};

/**
 * Asks for confirmation before something changes, with the fields that it needs. Mounted while it
 * is open.
 */
export function ConfirmDialog({
  title,
  person,
  submit,
  dismiss = submit === undefined ? 'Close' : 'Cancel',
  isFinal = false,
  isPending = false,
  isDisabled = false,
  failure,
  onSubmit,
  onClose,
  children,
}: ConfirmDialogProps) {
  return (
    <Dialog open onClose={onClose} className={styles.dialog}>
      <DialogTitle className={styles.title}>{title}</DialogTitle>
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const form = event.currentTarget;
          if (!isDisabled) void Promise.resolve(onSubmit?.()).then(() => focusFailure(form));
        }}
      >
        {person !== undefined && (
          <p className={styles.person}>
            <bdi>{person}</bdi>
          </p>
        )}
        {children}
        {failure !== undefined && (
          <p className={styles.failure} role="alert">
            {failure}
          </p>
        )}
        <div className={styles.actions}>
          {submit !== undefined && (
            <Button
              type="submit"
              look={isFinal ? 'line' : 'solid'}
              className={isFinal ? styles.final : undefined}
              pending={isPending}
              aria-disabled={isDisabled || undefined}
            >
              <span>{submit}</span>
            </Button>
          )}
          {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- a dialog moves the focus anyway */}
          <Button look="line" autoFocus={isFinal} onClick={onClose}>
            {/* What was asked for goes on without the dialog. */}
            {isPending ? 'Close' : dismiss}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
