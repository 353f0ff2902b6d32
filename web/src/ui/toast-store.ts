/** How many toasts are shown at once. A new one replaces the oldest. */
const TOAST_LIMIT = 1;
/** How long a dismissed toast stays in the store. */
const TOAST_REMOVE_DELAY_MS = 1_000_000;
export const TOAST_DURATION_MS = 5_000;

export type ToastContent = {
  title: string;
  description?: string;
  tone?: 'plain' | 'destructive';
};
export type Toast = ToastContent & { id: string; open: boolean };

type ToastChange =
  | { type: 'added'; toast: Toast }
  | { type: 'updated'; id: string; content: Partial<ToastContent> }
  | { type: 'dismissed'; id?: string }
  | { type: 'removed'; id?: string };

/** Applies a change. Without an id, `dismissed` and `removed` apply to every toast. Pure. */
function changeToasts(toasts: readonly Toast[], change: ToastChange): readonly Toast[] {
  switch (change.type) {
    case 'added':
      return [change.toast, ...toasts].slice(0, TOAST_LIMIT);
    case 'updated':
      return toasts.map((toast) => (toast.id === change.id ? { ...toast, ...change.content } : toast));
    case 'dismissed':
      return toasts.map((toast) => (matches(toast, change.id) ? { ...toast, open: false } : toast));
    case 'removed':
      return toasts.filter((toast) => !matches(toast, change.id));
  }
}

function matches(toast: Toast, id: string | undefined): boolean {
  return id === undefined || toast.id === id;
}

/** Creates a store of toasts that notifies its listeners of changes. */
export function createToastStore() {
  let toasts: readonly Toast[] = [];
  let lastId = 0;
  const listeners = new Set<() => void>();
  const removals = new Map<string, ReturnType<typeof setTimeout>>();

  function apply(change: ToastChange): void {
    toasts = changeToasts(toasts, change);
    for (const listener of listeners) listener();
  }

  function dismiss(id?: string): void {
    for (const toast of toasts) {
      if (!matches(toast, id) || removals.has(toast.id)) continue;
      const removal = setTimeout(() => {
        removals.delete(toast.id);
        apply({ type: 'removed', id: toast.id });
      }, TOAST_REMOVE_DELAY_MS);
      removals.set(toast.id, removal);
    }
    apply(id === undefined ? { type: 'dismissed' } : { type: 'dismissed', id });
  }

  return {
    current: () => toasts,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    add: (content: ToastContent) => {
      const id = String((lastId += 1));
      apply({ type: 'added', toast: { ...content, id, open: true } });
      return {
        id,
        update: (changed: Partial<ToastContent>) => apply({ type: 'updated', id, content: changed }),
        dismiss: () => dismiss(id),
      };
    },
    dismiss,
  };
}

export const toasts = createToastStore();

let host: HTMLElement | null = null;
const hostListeners = new Set<() => void>();

/**
 * The element toasts are rendered in. While a dialog is open it is the dialog, because keyboard and screen readers
 * cannot reach anything else. Null means the page.
 */
export const toastHost = {
  current: () => host,
  subscribe: (listener: () => void) => {
    hostListeners.add(listener);
    return () => void hostListeners.delete(listener);
  },
  set: (element: HTMLElement | null) => {
    host = element;
    for (const listener of hostListeners) listener();
  },
};
