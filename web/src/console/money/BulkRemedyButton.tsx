import type { Difference } from '@site/schema/calls/differences';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../elements/ConfirmDialog.tsx';
import styles from '../elements/dialog.module.css';
import { formatCount } from '../elements/format-count.ts';
import { toasts } from '../../ui/toast-store.ts';
import { BULK_LABELS } from './difference-labels.ts';
import type { BulkRemedy } from './difference-labels.ts';
import { useCall } from '../session/use-call.ts';

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
      {ids && <BulkRemedyDialog remedy={remedy} ids={ids} onClose={close} onDone={onDone} />}
    </>
  );
}

type BulkRemedyDialogProps = { remedy: BulkRemedy; ids: number[]; onClose: () => void; onDone: () => void };

function BulkRemedyDialog({ remedy, ids, onClose, onDone }: BulkRemedyDialogProps) {
  const { button, explain, underWay } = BULK_LABELS[remedy];
  const count = formatCount(ids.length);
  const { send, fault, isPending } = useCall('POST /api/admin/differences/remedies', {
    onDone({ requested }) {
      onClose();
      onDone();
      if (requested === ids.length) return;
      toasts.add({
        title: `${formatCount(requested)} of ${count} are ${underWay}`,
        description: 'The others have changed since. Look at the list again.',
      });
    },
  });
  return (
    <ConfirmDialog
      title={`${button(count)}?`}
      submit={button(count)}
      isPending={isPending}
      fault={fault}
      dismiss="Close"
      onSubmit={() => void send({ body: { ids } })}
      onClose={onClose}
    >
      <p className={styles.words}>{explain}</p>
      <p className={styles.words}>The list shows how many are left. Activity records each of them.</p>
    </ConfirmDialog>
  );
}
