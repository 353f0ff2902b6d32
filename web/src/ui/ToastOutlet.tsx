import { lazy, Suspense, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { CloseIcon } from './icons.tsx';
import { toastHost, toasts } from './toast-store.ts';
import type { Toast } from './toast-store.ts';
import styles from './ToastOutlet.module.css';

/**
 * Throws if the browser is offline. Browsers remember a failed download, and would not try it again
 * when back online.
 */
export function expectOnline(): void {
  if (!navigator.onLine) throw new Error('The browser is offline');
}

async function fetchToaster() {
  expectOnline();
  return (await import('./Toaster.tsx')).Toaster;
}

const Toaster = lazy(async () => {
  try {
    return { default: await fetchToaster() };
  } catch {
    // A toast often reports that the network is down, so it must work without this download.
    return { default: PlainToaster };
  }
});
const none: readonly never[] = [];

/** Fetches the toasts' code before a request that may fail. */
export function preloadToasts(): void {
  void fetchToaster().catch(() => undefined);
}

/** Renders the toasts. Fetches their code with the first toast, if not before. */
export function ToastOutlet() {
  const shown = useSyncExternalStore(toasts.subscribe, toasts.current, () => none);
  const host = useSyncExternalStore(toastHost.subscribe, toastHost.current, () => null);
  if (shown.length === 0) return null;
  return createPortal(
    <Suspense fallback={null}>
      <Toaster toasts={shown} onDismiss={toasts.dismiss} />
    </Suspense>,
    host ?? document.body,
  );
}

/**
 * Renders the fallback if Toaster's code cannot be fetched: the same text without motion or
 * gestures.
 */
function PlainToaster({
  toasts,
  onDismiss,
}: {
  toasts: readonly Toast[];
  onDismiss: (id: string) => void;
}) {
  const shown = toasts.filter(({ open }) => open);
  return (
    <div role="alert" className={shown.length > 0 ? styles.toast : undefined}>
      {shown.map(({ id, title, description, tone }) => (
        <p key={id} className={tone === 'destructive' ? styles.destructive : undefined}>
          <span>
            <strong>{title}</strong> {description}
          </span>
          <button type="button" aria-label="Dismiss" onClick={() => onDismiss(id)}>
            <CloseIcon />
          </button>
        </p>
      ))}
    </div>
  );
}
