import { Dialog as Radix } from 'radix-ui';
import { useEffect } from 'react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { findHeading } from './find-heading.ts';
import { swallowSecondPress } from './second-press.ts';
import { CloseIcon } from './icons.tsx';
import { toastHost, toasts } from './toast-store.ts';
import { useFocusReturn } from './use-focus-return.ts';
import styles from './Dialog.module.css';

type DialogProps = {
  open: boolean;
  onClose: () => void;
  /** The element that gets the focus on closing, instead of the one that had it. */
  returnFocusTo?: HTMLElement | null | undefined;
  className?: string | undefined;
  /** Takes the place of a scrim, so its own is there at once. */
  isAwaited?: boolean;
  children: ReactNode;
};

/** A modal dialog. It traps the focus and closes on Escape or a click outside. Name it with `DialogTitle`. */
export function Dialog({
  open,
  onClose,
  returnFocusTo,
  className,
  isAwaited,
  children,
}: DialogProps) {
  useScrollLock(open);
  const { returnTo: _, ...focus } = useFocusReturn(returnFocusTo, findHeading);
  return (
    <Radix.Root
      open={open}
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose();
      }}
    >
      <Radix.Portal>
        {/* Not Radix's overlay: it locks scrolling with a style element, which our content security policy blocks. */}
        <div className={styles.scrim} data-awaited={isAwaited || undefined} ref={prepareLayer}>
          <Radix.Content
            ref={holdToasts}
            className={classNames(styles.dialog, className)}
            aria-describedby={undefined}
            onPointerDownOutside={(event) => {
              if (isOnScrollbar(event.detail.originalEvent)) event.preventDefault();
            }}
            // A toast in it takes the Escape for its own.
            onKeyDown={(event) => {
              if (event.key !== 'Escape' || event.defaultPrevented) return;
              event.stopPropagation();
              onClose();
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
export function DialogTitle({
  children,
  className,
}: {
  children: ReactNode;
  className?: string | undefined;
}) {
  return <Radix.Title className={className}>{children}</Radix.Title>;
}

/** Keeps a layer above the keyboard, and from the second press of a double one that opened it. */
export function prepareLayer(layer: HTMLElement | null): (() => void) | undefined {
  swallowSecondPress(layer);
  return stayAboveKeyboard(layer);
}

function holdToasts(element: HTMLElement | null): void {
  toastHost.set(element);
  if (!element) return;
  // On a phone, what was done before would cover the buttons. A failure stays: it says what to do.
  for (const { id, tone } of toasts.current()) if (tone !== 'destructive') toasts.dismiss(id);
}

function isOnScrollbar(event: PointerEvent): boolean {
  return event.target instanceof HTMLElement && event.offsetX > event.target.clientWidth;
}

/** Stops the page from scrolling, without a shift where the scrollbar takes up room. */
function useScrollLock(isLocked: boolean): void {
  useEffect(() => {
    if (!isLocked) return;
    const { style, clientWidth } = document.documentElement;
    const { overflow, paddingRight } = style;
    style.paddingRight = `${window.innerWidth - clientWidth}px`;
    style.overflow = 'hidden';
    return () => {
      style.overflow = overflow;
      style.paddingRight = paddingRight;
    };
  }, [isLocked]);
}

/** Less is a scroll bar or a rounded size. */
const MIN_KEYBOARD = 100;

/**
 * Keeps a layer within the part of the window that a phone's keyboard leaves, so that it can be scrolled to its end. The
 * keyboard covers fixed elements without changing the window's size.
 */
export function stayAboveKeyboard(layer: HTMLElement | null): (() => void) | undefined {
  const view = window.visualViewport;
  if (!layer || !view) return undefined;
  const fit = () => {
    // Zoomed in, the part that is seen moves over a layer that stays as it is.
    const isCovered = view.scale === 1 && view.height < window.innerHeight - MIN_KEYBOARD;
    layer.style.height = isCovered ? `${view.height}px` : '';
    layer.style.top = isCovered ? `${view.offsetTop}px` : '';
    if (isCovered) document.activeElement?.scrollIntoView({ block: 'nearest' });
  };
  fit();
  view.addEventListener('resize', fit);
  view.addEventListener('scroll', fit);
  return () => {
    view.removeEventListener('resize', fit);
    view.removeEventListener('scroll', fit);
  };
}
