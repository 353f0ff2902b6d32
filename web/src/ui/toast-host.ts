let host: HTMLElement | null = null;
const listeners = new Set<() => void>();

/**
 * The element toasts are rendered in. While a dialog is open it is the dialog, because keyboard and screen readers
 * cannot reach anything else. Null means the page.
 */
export const toastHost = {
  current: () => host,
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  },
  set: (element: HTMLElement | null) => {
    host = element;
    for (const listener of listeners) listener();
  },
};
