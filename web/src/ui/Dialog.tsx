import { Dialog as Radix } from 'radix-ui';
import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { CloseIcon } from './icons.tsx';
import { toastHost } from './toast-store.ts';
import styles from './Dialog.module.css';

type DialogProps = {
  open: boolean;
  onClose: () => void;
  /** The element that gets the focus on closing, instead of the previous element. */
  returnFocusTo?: HTMLElement | null | undefined;
  className?: string | undefined;
  children: ReactNode;
};

/**
 * Renders a modal dialog. It traps the focus and closes on Escape or a click outside. Name it with
 * `DialogTitle`.
 */
export function Dialog({ open, onClose, returnFocusTo, className, children }: DialogProps) {
  // Read before an element of the dialog takes the focus itself.
  const [opener, setOpener] = useState(() => document.activeElement);
  useScrollLock(open);
  return (
    <Radix.Root open={open} onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Portal>
        {/* Radix's overlay locks scrolling with a style element, which our content security
            policy blocks. */}
        <div className={styles.scrim}>
          <Radix.Content
            ref={holdToasts}
            className={classNames(styles.dialog, className)}
            aria-describedby={undefined}
            onPointerDownOutside={(event) => {
              const { target, offsetX } = event.detail.originalEvent;
              const isOnScrollbar = target instanceof HTMLElement && offsetX > target.clientWidth;
              if (isOnScrollbar) event.preventDefault();
            }}
            onOpenAutoFocus={() => setOpener(document.activeElement)}
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              const target = returnFocusTo ?? opener;
              if (target instanceof HTMLElement) target.focus({ preventScroll: true });
            }}
          >
            {children}
            <Radix.Close className={styles.close} aria-label="Close">
              <CloseIcon />
            </Radix.Close>
          </Radix.Content>
        </div>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** While it is open, toasts are rendered inside it. */
const holdToasts = (element: HTMLElement | null) => toastHost.set(element);

/** Stops the page from scrolling, without a shift if the scrollbar takes up room. */
function useScrollLock(isLocked: boolean): void {
  useEffect(() => {
    if (!isLocked) return;
    const { style, clientWidth } = document.documentElement;
    const { overflow, paddingRight } = style;
    Object.assign(style, {
      overflow: 'hidden',
      paddingRight: `${window.innerWidth - clientWidth}px`,
    });
    return () => void Object.assign(style, { overflow, paddingRight });
  }, [isLocked]);
}

/** The dialog's visible heading, which also names it. */
export const DialogTitle = Radix.Title;
