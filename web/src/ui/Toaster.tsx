import { Toast as Radix } from 'radix-ui';
import { classNames } from './class-names.ts';
import { CloseIcon, FailedIcon } from './icons.tsx';
import { TOAST_DURATION_MS } from './toast-store.ts';
import type { Toast } from './toast-store.ts';
import styles from './Toaster.module.css';

type ToasterProps = { toasts: readonly Toast[]; onDismiss: (id: string) => void };

/**
 * Shows the toasts at the bottom right. A swipe to the right closes a toast, and F8 focuses them.
 */
export function Toaster({ toasts, onDismiss }: ToasterProps) {
  return (
    <Radix.Provider swipeDirection="right" swipeThreshold={50}>
      {toasts.map(
        ({ id, open, title, description, tone, durationMs = TOAST_DURATION_MS, onUndo }) => (
          <Radix.Root
            key={id}
            open={open}
            duration={durationMs}
            onOpenChange={(isOpen) => {
              if (!isOpen) onDismiss(id);
            }}
            className={classNames(styles.toast, tone === 'destructive' && styles.destructive)}
          >
            {tone === 'destructive' && <FailedIcon />}
            <div>
              <Radix.Title className={styles.title}>{title}</Radix.Title>
              {description && (
                <Radix.Description className={styles.description}>{description}</Radix.Description>
              )}
            </div>
            {onUndo && (
              <Radix.Action altText="Undo" className="link" onClick={onUndo}>
                Undo
              </Radix.Action>
            )}
            <Radix.Close className={styles.close} aria-label="Dismiss">
              <CloseIcon />
            </Radix.Close>
          </Radix.Root>
        ),
      )}
      <Radix.Viewport className={styles.viewport} hotkey={['F8']} />
    </Radix.Provider>
  );
}
