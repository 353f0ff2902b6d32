/** The most toasts on screen. A new toast replaces the oldest. */
const TOAST_LIMIT = 1;
/** The time that a dismissed toast stays in the store. */
const TOAST_REMOVE_DELAY_MS = 1_000_000;
export const TOAST_DURATION_MS = 5_000;
/** Failures and toasts with an undo have more to read, and often a next step. */
export const FAILURE_DURATION_MS = 20_000;

export type ToastContent = {
  title: string;
  description?: string;
  tone?: 'plain' | 'destructive';
  durationMs?: number;
  /** Undoes the action that the toast reports. */
  onUndo?: () => void;
};
export type Toast = ToastContent & { id: string; open: boolean };

/** Creates a store of toasts that notifies its listeners of changes. */
export function createToastStore() {
  let toasts: readonly Toast[] = [];
  let lastId = 0;
  const listeners = new Set<() => void>();
  const removals = new Map<string, ReturnType<typeof setTimeout>>();

  function set(changed: readonly Toast[]): void {
    toasts = changed;
    for (const listener of listeners) listener();
  }

  /** Closes a toast, or without an id every toast. */
  function dismiss(id?: string): void {
    const isMeant = (toast: Toast) => id === undefined || toast.id === id;
    for (const toast of toasts) {
      if (!isMeant(toast) || removals.has(toast.id)) continue;
      const removal = setTimeout(() => {
        removals.delete(toast.id);
        set(toasts.filter((other) => other.id !== toast.id));
      }, TOAST_REMOVE_DELAY_MS);
      removals.set(toast.id, removal);
    }
    set(toasts.map((toast) => (isMeant(toast) ? { ...toast, open: false } : toast)));
  }

  return {
    current: () => toasts,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    add: (content: ToastContent) => {
      const id = String((lastId += 1));
      set([{ ...content, id, open: true }, ...toasts].slice(0, TOAST_LIMIT));
      return {
        id,
        update: (changed: Partial<ToastContent>) =>
          set(toasts.map((toast) => (toast.id === id ? { ...toast, ...changed } : toast))),
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
 * The element that toasts are rendered in. While a dialog is open it is the dialog, because
 * keyboard and screen readers cannot reach anything else. Null means the page.
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
