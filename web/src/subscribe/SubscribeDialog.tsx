import { buildFormValues } from '@site/schema/form-fields';
import type { SubscribeButton } from '@site/schema/lead';
import { OFFER } from '@site/schema/offer';
import { Dialog, DialogTitle } from '../ui/Dialog.tsx';
import type { SubscribeDraft } from './departure.ts';
import { NextSteps } from './NextSteps.tsx';
import styles from './SubscribeDialog.module.css';
import { SubscribeForm, useSubscribeForm } from './SubscribeForm.tsx';
import { Terms } from './Terms.tsx';

/** The dialog's opening: by a button, or by a return from Stripe. */
export type Opening = {
  from: SubscribeButton;
  /** The first opening, by `performance.now()`. Undefined after a return. */
  openedAt: number | undefined;
  /** The form as sent before the return. */
  draft: SubscribeDraft | null;
  opener: HTMLElement | null;
};
export type SubscribeDialogProps = Opening & { open: boolean; onClose: () => void };

/**
 * Renders the subscribe form in a dialog. It stays mounted while closed, so that nothing typed is
 * lost.
 */
export function SubscribeDialog({
  open,
  from,
  openedAt,
  draft,
  opener,
  onClose,
}: SubscribeDialogProps) {
  const first = draft?.values ?? buildFormValues(() => '');
  const state = useSubscribeForm(first, openedAt === undefined ? 'returned' : null, open);
  return (
    <Dialog open={open} onClose={onClose} returnFocusTo={opener} className={styles.dialog}>
      <div className={styles.head}>
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
