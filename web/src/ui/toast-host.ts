let host: HTMLElement | null = null;
const listeners = new Set<() => void>();

/**
 * Where toasts are drawn while a dialog is open: inside it, since everything else is out of reach of the
 * keyboard and of screen readers then. Null means the page itself.
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
