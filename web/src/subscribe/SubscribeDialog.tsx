import { buildFormValues } from '@site/schema/form-fields';
import type { SubscribeButton } from '@site/schema/lead';
import { OFFER } from '@site/schema/offer';
import { Dialog, DialogTitle } from '../ui/Dialog.tsx';
import { NextSteps } from './NextSteps.tsx';
import type { Setback } from './Reassurance.tsx';
import type { SubscribeDraft } from './subscribe-draft.ts';
import styles from './SubscribeDialog.module.css';
import { SubscribeForm, Terms, useSubscribeForm } from './SubscribeForm.tsx';

export type SubscribeDialogProps = {
  open: boolean;
  from: SubscribeButton;
  /** When it was first opened, by `performance.now()`. Undefined if it was filled in on an earlier visit. */
  openedAt: number | undefined;
  /** The form saved before a visit to Stripe. */
  draft: SubscribeDraft | null;
  /** Set if a return from Stripe opened it. */
  before: Setback | null;
  opener: HTMLElement | null;
  /** Something said that it is being opened. */
  isAwaited: boolean;
  onClose: () => void;
};

/** The subscribe form in a dialog. It stays mounted while closed, so that nothing typed is lost. */
export function SubscribeDialog(props: SubscribeDialogProps) {
  const { open, from, openedAt, draft, before, opener, isAwaited, onClose } = props;
  const state = useSubscribeForm(
    buildFormValues((field) => draft?.values[field] ?? ''),
    before,
    open,
  );
  return (
    <Dialog
      open={open}
      isAwaited={isAwaited}
      onClose={onClose}
      returnFocusTo={opener ?? findButton(from)}
      className={styles.dialog}
    >
      <div className={styles.head} ref={scrollBelow}>
        <DialogTitle className={styles.title}>Subscribe to {OFFER.productName}</DialogTitle>
      </div>
      <SubscribeForm className={styles.form} from={from} openedAt={openedAt} state={state}>
        <p className={styles.terms}>
          <Terms />
        </p>
      </SubscribeForm>
      <NextSteps level="h3" />
    </Dialog>
  );
}

/** Nothing opened the form that a return from Stripe shows again: finds a button that did, or is in the section of the address, best one in sight. */
function findButton(from: SubscribeButton): HTMLElement | null {
  const buttons = [...document.querySelectorAll<HTMLElement>('[aria-haspopup="dialog"]')];
  const section = window.location.hash && document.getElementById(window.location.hash.slice(1));
  const inSection = buttons.find((button) => section && section.contains(button));
  const same = buttons.filter((button) => button.getAttribute('href')?.endsWith(from));
  return inSection ?? same.find(isInSight) ?? same[0] ?? null;
}

function isInSight(element: HTMLElement): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= window.innerHeight;
}

/** Keeps fields that are scrolled into view, with their labels, below the head, whose title may take two lines. */
function scrollBelow(head: HTMLElement | null): (() => void) | undefined {
  const layer = head?.parentElement?.parentElement;
  if (!head || !layer || !('ResizeObserver' in window)) return undefined;
  const observer = new ResizeObserver(() => {
    layer.style.scrollPaddingTop = `calc(${head.offsetHeight}px + 2rem)`;
  });
  observer.observe(head);
  return () => observer.disconnect();
}
