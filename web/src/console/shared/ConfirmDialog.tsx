import type { ReactNode } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogTitle } from '../../ui/Dialog.tsx';
import styles from './dialog.module.css';
import { focusFailure } from './focus.ts';

type ConfirmDialogProps = {
  title: string;
  person?: string | undefined;
  /** The label of the confirming button. Without it there is nothing to confirm. */
  submit?: ReactNode;
  /** The label of the dismissing button, if "Cancel" would be ambiguous. */
  dismiss?: string;
  /**
   * The action cannot be undone, so the focus begins on the dismissing button, and the other button
   * is red.
   */
  isFinal?: boolean;
  isPending?: boolean;
  /** The subject of the confirmation is not known yet. */
  isDisabled?: boolean;
  /** A failure that is not about a field. */
  failure?: string | undefined;
  /** Resolves with the answer, for refusals of fields. */
  onSubmit?: () => unknown;
  onClose: () => void;
  children?: ReactNode;
};

/** Asks for confirmation before a change, with the necessary fields. Mounted while it is open. */
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
            {/* The request continues without the dialog. */}
            {isPending ? 'Close' : dismiss}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
