import type { SubscribeButton } from '@site/schema/lead';
import { createContext, use, useEffect, useMemo, useRef, useState } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { recordEvent } from '../analytics/analytics.ts';
import { expectOnline, preloadToasts } from '../ui/ToastOutlet.tsx';
import { toasts } from '../ui/toast-store.ts';
import { forgetReturn, hasReturned, readDraft } from './departure.ts';
import type { Opening, SubscribeDialogProps } from './SubscribeDialog.tsx';
import styles from './SubscribeProvider.module.css';

type SubscribeControl = {
  /** Fetches the dialog's code ahead of a likely click. */
  preload: () => void;
  open: (from: SubscribeButton, opener: HTMLElement) => void;
};

const Control = createContext<SubscribeControl | null>(null);

async function loadDialog(): Promise<ComponentType<SubscribeDialogProps>> {
  expectOnline();
  preloadToasts();
  return (await import('./SubscribeDialog.tsx')).SubscribeDialog;
}

/** Returns the control that opens the subscribe dialog. */
export function useSubscribeControl(): SubscribeControl {
  const control = use(Control);
  if (!control) throw new Error('A subscribe button must be inside SubscribeProvider');
  return control;
}

/**
 * Renders the subscribe dialog for the buttons inside. Fetches its code once the page is idle, or
 * when a click is likely.
 */
export function SubscribeProvider({ children }: { children: ReactNode }) {
  const [Dialog, setDialog] = useState<ComponentType<SubscribeDialogProps> | null>(null);
  const [opening, setOpening] = useState(readReturn);
  const [isOpen, setOpen] = useState(opening !== null);

  const isLoaded = useRef(false);
  const { control, show } = useMemo(() => {
    async function load(): Promise<void> {
      if (isLoaded.current) return;
      const loaded = await loadDialog();
      isLoaded.current = true;
      setDialog(() => loaded);
    }
    function show(from: SubscribeButton): void {
      load().catch((error: unknown) => {
        console.error('The subscribe form could not be fetched', error);
        leaveDialog(() => setOpen(false));
        if (navigator.onLine) {
          // A new release removed this version's files. The form's own page needs no script.
          window.location.assign(`/subscribe?from=${from}`);
          return;
        }
        const toast = toasts.add({
          title: 'The form could not be opened',
          description: 'You are offline. Try again when you are back online.',
          tone: 'destructive',
        });
        window.addEventListener('online', toast.dismiss, { once: true });
      });
    }
    const control: SubscribeControl = {
      preload: () => void load().catch(() => undefined),
      open(from, opener) {
        // Keeps the first opening time, because a form that is already filled in may be sent at
        // once.
        const first = { openedAt: performance.now(), draft: null };
        setOpening((earlier) => ({ ...(earlier ?? first), from, opener }));
        toasts.dismiss();
        enterDialog();
        setOpen(true);
        recordEvent('Subscribe Modal Opened', { button: from });
        show(from);
      },
    };
    return { control, show };
  }, []);

  useEffect(() => callEarly(control.preload), [control]);

  useEffect(() => {
    const returned = readReturn();
    if (!returned) return;
    forgetReturn();
    window.scrollTo(0, returned.draft?.scrollY ?? window.scrollY);
    show(returned.from);
  }, [show]);

  // The browser's Back button closes the dialog, and its Forward button opens it again.
  useEffect(() => {
    const follow = () => {
      setOpen((wasOpen) => (opening === null ? wasOpen : isDialogEntry()));
      if (!isDialogEntry())
        requestAnimationFrame(() => (window.history.scrollRestoration = 'auto'));
    };
    window.addEventListener('popstate', follow);
    return () => window.removeEventListener('popstate', follow);
  }, [opening]);

  return (
    <Control value={control}>
      {children}
      {isOpen && !Dialog && opening?.opener && (
        <div className={styles.scrim}>
          <output className={styles.loading}>Opening the form…</output>
        </div>
      )}
      {Dialog && opening && (
        <Dialog {...opening} open={isOpen} onClose={() => leaveDialog(() => setOpen(false))} />
      )}
    </Control>
  );
}

/** A busy page must not delay the code for ever. */
const LONGEST_WAIT_MS = 2_000;

/** Calls back when the loaded page is idle, and at the first press or focus. Returns a cleanup. */
function callEarly(callback: () => void): () => void {
  const gone = new AbortController();
  const { signal } = gone;
  // Safari has no requestIdleCallback.
  const whenIdle = window.requestIdleCallback as typeof requestIdleCallback | undefined;
  const call = () => {
    if (!signal.aborted) callback();
  };
  const wait = () => {
    if (whenIdle) whenIdle(call, { timeout: LONGEST_WAIT_MS });
    else setTimeout(call);
  };
  for (const event of ['pointerdown', 'focusin'])
    window.addEventListener(event, callback, { once: true, capture: true, signal });
  // The page's own fonts and pictures come first.
  if (document.readyState === 'complete') wait();
  else window.addEventListener('load', wait, { once: true, signal });
  return () => gone.abort();
}

/** Adds a history entry, so that Back returns from the dialog to the page. */
function enterDialog(): void {
  if (isDialogEntry()) return;
  // Chromium would otherwise restore an earlier scroll position of this URL.
  window.history.scrollRestoration = 'manual';
  window.history.pushState({ ...(window.history.state as object | null), isDialog: true }, '');
  window.history.scrollRestoration = 'auto';
}

function isDialogEntry(): boolean {
  return (window.history.state as { isDialog?: boolean } | null)?.isDialog === true;
}

/**
 * Goes back over the dialog's entry, which closes the dialog. Without an entry, as after a return
 * from Stripe, closes it directly.
 */
function leaveDialog(close: () => void): void {
  if (isDialogEntry()) window.history.back();
  else close();
}

/**
 * Returns an opening if the visitor came back from Stripe without paying, with the draft if this
 * browser has it.
 */
function readReturn(): Opening | null {
  if (!hasReturned()) return null;
  const draft = readDraft();
  return { from: draft?.from ?? 'nav_sub', openedAt: undefined, opener: null, draft };
}
