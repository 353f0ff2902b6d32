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
    // What a toast has to say is often that the network is away.
    return { default: PlainToaster };
  }
});
const none: readonly never[] = [];

/** Fetches the toasts' code ahead of a request that may fail. */
export function preloadToasts(): void {
  void fetchToaster().catch(() => undefined);
}

/** Where toasts appear. Their code is fetched with the first of them, if not before. */
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
