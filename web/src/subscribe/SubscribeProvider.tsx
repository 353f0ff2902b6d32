import type { SubscribeButton } from '@site/schema/lead';
import { createContext, use, useEffect, useMemo, useRef, useState } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { recordEvent } from '../analytics/analytics.ts';
import { preloadToasts } from '../ui/ToastOutlet.tsx';
import { toasts } from '../ui/toast-store.ts';
import type { SubscribeDialogProps } from './SubscribeDialog.tsx';
import { readDraft } from './subscribe-draft.ts';
import type { SubscribeDraft } from './subscribe-draft.ts';

type SubscribeControl = {
  /** Fetches the dialog's code ahead of a press that is likely to come. */
  preload: () => void;
  open: (from: SubscribeButton, opener: HTMLElement) => void;
};

type Opening = {
  from: SubscribeButton;
  openedAt: number | undefined;
  opener: HTMLElement | null;
  draft: SubscribeDraft | null;
};

const Control = createContext<SubscribeControl | null>(null);
const loadDialog = async () => (await import('./SubscribeDialog.tsx')).SubscribeDialog;

/** How a button opens the subscribe dialog. */
export function useSubscribeControl(): SubscribeControl {
  const control = use(Control);
  if (!control) throw new Error('A subscribe button stands outside SubscribeProvider');
  return control;
}

/** Holds the subscribe dialog for the buttons inside. Its code is fetched when somebody is about to press one. */
export function SubscribeProvider({ children }: { children: ReactNode }) {
  const [Dialog, setDialog] = useState<ComponentType<SubscribeDialogProps> | null>(null);
  const [opening, setOpening] = useState(openingOfReturn);
  const [isOpen, setOpen] = useState(opening !== null);
  const loading = useRef<Promise<void> | null>(null);

  const control = useMemo<SubscribeControl>(() => {
    async function load(): Promise<void> {
      preloadToasts();
      try {
        const loaded = await loadDialog();
        setDialog(() => loaded);
      } catch (error) {
        loading.current = null;
        throw error;
      }
    }
    const loadOnce = async (): Promise<void> => (loading.current ??= load());
    return {
      preload: () => void loadOnce().catch(() => undefined),
      open(from, opener) {
        // Reopened, the form is as it was left: whoever then sends it at once is no robot.
        setOpening((before) => ({ ...(before ?? { openedAt: performance.now(), draft: null }), from, opener }));
        setOpen(true);
        recordEvent('Subscribe Modal Opened', { button: from });
        loadOnce().catch((error: unknown) => {
          console.error('The subscribe form could not be fetched', error);
          setOpen(false);
          if (navigator.onLine) {
            // A newer version of the site no longer has this one's files. The form as a page of its own needs none.
            window.location.assign(`/subscribe?from=${from}`);
            return;
          }
          toasts.add({
            title: 'The form could not be opened',
            description: 'Check your connection and try again.',
            tone: 'destructive',
          });
        });
      },
    };
  }, []);

  useEffect(() => {
    if (!isCancelledReturn()) return;
    cleanAddress();
    control.preload();
  }, [control]);

  return (
    <Control value={control}>
      {children}
      {Dialog && opening && <Dialog {...opening} open={isOpen} onClose={() => setOpen(false)} />}
    </Control>
  );
}

/** Turning back from Stripe opens the dialog again, with the form as it was. */
function openingOfReturn(): Opening | null {
  const draft = isCancelledReturn() ? readDraft() : null;
  return draft && { from: draft.from, openedAt: undefined, opener: null, draft };
}

function isCancelledReturn(): boolean {
  if (typeof window === 'undefined') return false;
  return new URLSearchParams(window.location.search).get('checkout') === 'cancelled';
}

function cleanAddress(): void {
  const url = new URL(window.location.href);
  url.searchParams.delete('checkout');
  window.history.replaceState(window.history.state, '', `${url.pathname}${url.search}${url.hash}`);
}
