import { Dialog as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { CloseIcon } from './icons.tsx';
import { toastHost } from './toast-host.ts';
import { useFocusReturn } from './use-focus-return.ts';
import { stayAboveKeyboard } from './stay-above-keyboard.ts';
import { useScrollLock } from './use-scroll-lock.ts';
import styles from './Dialog.module.css';

type DialogProps = {
  open: boolean;
  onClose: () => void;
  /** The element that gets the focus on closing, instead of the one that had it. */
  returnFocusTo?: HTMLElement | null | undefined;
  className?: string | undefined;
  children: ReactNode;
};

/** A modal dialog. It traps the focus and closes on Escape or a click outside. Name it with `DialogTitle`. */
export function Dialog({ open, onClose, returnFocusTo, className, children }: DialogProps) {
  useScrollLock(open);
  const focus = useFocusReturn(returnFocusTo);
  return (
    <Radix.Root
      open={open}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <Radix.Portal>
        {/* Not Radix's overlay: it locks scrolling with a style element, which our content security policy blocks. */}
        <div className={styles.scrim} ref={stayAboveKeyboard}>
          <Radix.Content
            ref={holdToasts}
            className={classNames(styles.dialog, className)}
            aria-describedby={undefined}
            onPointerDownOutside={(event) => {
              if (isOnScrollbar(event.detail.originalEvent)) event.preventDefault();
            }}
            {...focus}
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

/** The dialog's visible heading, which also names it. */
export function DialogTitle({ children, className }: { children: ReactNode; className?: string | undefined }) {
  return <Radix.Title className={className}>{children}</Radix.Title>;
}

function holdToasts(element: HTMLElement | null): void {
  toastHost.set(element);
}

function isOnScrollbar(event: PointerEvent): boolean {
  return event.target instanceof HTMLElement && event.offsetX > event.target.clientWidth;
}
