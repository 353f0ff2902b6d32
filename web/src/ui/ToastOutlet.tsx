import { lazy, Suspense, useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { toastHost } from './toast-host.ts';
import { toasts } from './toast-store.ts';

const Toaster = lazy(async () => ({ default: (await import('./Toaster.tsx')).Toaster }));
const none: readonly never[] = [];

/** Where toasts appear. Their code is fetched with the first of them. */
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
