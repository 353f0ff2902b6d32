import { lazy, Suspense, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { PlainToaster } from './PlainToaster.tsx';
import { toastHost } from './toast-host.ts';
import { toasts } from './toast-store.ts';

const fetchToaster = async () => (await import('./Toaster.tsx')).Toaster;
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
