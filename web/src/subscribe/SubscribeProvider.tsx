import type { SubscribeButton } from '@site/schema/lead';
import { createContext, use, useEffect, useMemo, useRef, useState } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { recordEvent } from '../analytics/analytics.ts';
import { expectOnline, preloadToasts } from '../ui/ToastOutlet.tsx';
import { toasts } from '../ui/toast-store.ts';
import type { SubscribeDialogProps } from './SubscribeDialog.tsx';
import { hasReturned, isCancelled, readDraft } from './subscribe-draft.ts';
import styles from './SubscribeProvider.module.css';
import { useReturn } from './use-return.ts';

type SubscribeControl = {
  /** Fetches the dialog's code ahead of a likely click. */
  preload: () => void;
  open: (from: SubscribeButton, opener: HTMLElement) => void;
};

type Opening = Pick<SubscribeDialogProps, 'from' | 'openedAt' | 'opener' | 'draft' | 'before'>;

const Control = createContext<SubscribeControl | null>(null);
const loadDialog = async () => (await import('./SubscribeDialog.tsx')).SubscribeDialog;

/** Returns the control with which a button opens the subscribe dialog. */
export function useSubscribeControl(): SubscribeControl {
  const control = use(Control);
  if (!control) throw new Error('A subscribe button must be inside SubscribeProvider');
  return control;
}

/** Holds the subscribe dialog for the buttons inside. Fetches its code when a click is likely. */
export function SubscribeProvider({ children }: { children: ReactNode }) {
  const [Dialog, setDialog] = useState<ComponentType<SubscribeDialogProps> | null>(null);
  const [opening, setOpening] = useState(readReturnOpening);
  const [isOpen, setOpen] = useState(opening !== null);
  const [isAwaited, setAwaited] = useState(false);
  const loading = useRef<Promise<void> | null>(null);
  const isLoaded = useRef(false);

  const { control, show } = useMemo(() => {
    async function load(): Promise<void> {
      expectOnline();
      preloadToasts();
      const loaded = await loadDialog();
      isLoaded.current = true;
      setDialog(() => loaded);
    }
    async function loadOnce(): Promise<void> {
      try {
        await (loading.current ??= load());
      } catch (error) {
        loading.current = null;
        throw error;
      }
    }
    function show(from: SubscribeButton): void {
      setAwaited(!isLoaded.current);
      loadOnce().catch((error: unknown) => {
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
      preload: () => void loadOnce().catch(() => undefined),
      open(from, opener) {
        // Keeps the first opening time: a form that is already filled in may be sent at once.
        setOpening((earlier) => ({ ...(earlier ?? readFirstOpening()), from, opener }));
        // What it says is in the form.
        toasts.dismiss();
        enterDialog();
        setOpen(true);
        recordEvent('Subscribe Modal Opened', { button: from });
        show(from);
      },
    };
    return { control, show };
  }, []);

  useReturn(false, () => {
    if (!opening) return;
    window.scrollTo(0, opening.draft?.scrollY ?? window.scrollY);
    show(opening.from);
  });

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
      {isOpen && isAwaited && !Dialog && (
        <div className={styles.scrim}>
          <output className={styles.loading}>Opening the form…</output>
        </div>
      )}
      {Dialog && opening && (
        <Dialog
          {...opening}
          open={isOpen}
          isAwaited={isAwaited}
          onClose={() => leaveDialog(() => setOpen(false))}
        />
      )}
    </Control>
  );
}

/** An entry of its own in the history, so that Back leads from the dialog to the page. */
function enterDialog(): void {
  if (isDialogEntry()) return;
  // The page stays where it is. For one that was opened at an address again, Chromium would restore where it stood before.
  window.history.scrollRestoration = 'manual';
  window.history.pushState({ ...(window.history.state as object | null), isDialog: true }, '');
  window.history.scrollRestoration = 'auto';
}

function isDialogEntry(): boolean {
  return (window.history.state as { isDialog?: boolean } | null)?.isDialog === true;
}

/** Goes back over the dialog's entry, which closes it. Without one, as after a return from Stripe, closes it directly. */
function leaveDialog(close: () => void): void {
  if (isDialogEntry()) window.history.back();
  else close();
}

/** The form as this tab sent it, if it has not subscribed since. */
function readFirstOpening(): Pick<Opening, 'openedAt' | 'draft' | 'before'> {
  const draft = readDraft();
  return { openedAt: draft ? undefined : performance.now(), draft, before: null };
}

/** Returns an opening if the visitor came back from Stripe without paying, with the draft if this browser has it. */
function readReturnOpening(): Opening | null {
  if (!hasReturned()) return null;
  const draft = readDraft();
  if (!draft && !isCancelled()) return null;
  return {
    from: draft?.from ?? 'nav_sub',
    openedAt: undefined,
    opener: null,
    draft,
    before: 'returned',
  };
}
