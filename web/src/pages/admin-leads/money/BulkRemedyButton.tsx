import type { Difference } from '@site/schema/calls/differences';
import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { Dialog, DialogTitle } from '../../../ui/Dialog.tsx';
import { DialogForm } from '../elements/DialogForm.tsx';
import styles from '../elements/dialog.module.css';
import { formatCount } from '../elements/format-count.ts';
import { toasts } from '../../../ui/toast-store.ts';
import { BULK_LABELS } from './difference-labels.ts';
import type { BulkRemedy } from './difference-labels.ts';
import { useConfirmedCall } from './use-confirmed-call.ts';

type BulkRemedyButtonProps = { remedy: BulkRemedy; differences: readonly Difference[]; onDone: () => void };

/** Puts right all that have one remedy, after a confirmation that says how many. Absent where there are fewer than two. */
export function BulkRemedyButton({ remedy, differences, onDone }: BulkRemedyButtonProps) {
  // What the confirmation counts stays the same while the list changes behind it.
  const [ids, setIds] = useState<number[]>();
  const now = differences.filter((difference) => difference.remedy === remedy && !difference.isRequested);
  const close = () => setIds(undefined);
  if (ids === undefined && now.length < 2) return null;
  const { button } = BULK_LABELS[remedy];
  return (
    <>
      <Button look="line" size="small" onClick={() => setIds(now.map(({ id }) => id))}>
        {button(`all ${formatCount(now.length)}`)}…
      </Button>
      <Dialog open={ids !== undefined} onClose={close} className={styles.dialog}>
        {ids && <BulkRemedyForm remedy={remedy} ids={ids} onClose={close} onDone={onDone} />}
      </Dialog>
    </>
  );
}

type BulkRemedyFormProps = { remedy: BulkRemedy; ids: number[]; onClose: () => void; onDone: () => void };

function BulkRemedyForm({ remedy, ids, onClose, onDone }: BulkRemedyFormProps) {
  const { button, explain, underWay } = BULK_LABELS[remedy];
  const count = formatCount(ids.length);
  const { send, fault, isPending } = useConfirmedCall('POST /api/admin/differences/remedies', ({ requested }) => {
    onClose();
    onDone();
    if (requested === ids.length) return;
    toasts.add({
      title: `${formatCount(requested)} of ${count} are ${underWay}`,
      description: 'The others have changed since. Look at the list again.',
    });
  });
  return (
    <>
      <DialogTitle className={styles.title}>{button(count)}?</DialogTitle>
      <DialogForm
        submit={button(count)}
        isPending={isPending}
        fault={fault}
        dismiss="Close"
        onSubmit={() => void send({ body: { ids } })}
        onDismiss={onClose}
      >
        <p className={styles.words}>{explain}</p>
        <p className={styles.words}>The list shows how many are left. Activity records each of them.</p>
      </DialogForm>
    </>
  );
}
