import type { Difference } from '@site/schema/calls/differences';
import { useState } from 'react';
import { CallButton } from '../shared/CallButton.tsx';
import { ConfirmDialog } from '../shared/ConfirmDialog.tsx';
import styles from '../shared/dialog.module.css';
import { formatCount } from '../shared/format-count.ts';
import { toasts } from '../../ui/toast-store.ts';
import { BULK_LABELS } from './difference-labels.ts';
import type { BulkRemedy } from './difference-labels.ts';
import { useCall } from '../session/use-call.ts';

type BulkRemedyButtonProps = {
  remedy: BulkRemedy;
  differences: readonly Difference[];
  /** How many there are, of which at most 200 are known here. */
  count: number;
  onDone: () => void;
};

/** Resolves all that have one remedy, after a confirmation that says how many, and says how many are under way. */
export function BulkRemedyButton({ remedy, differences, count, onDone }: BulkRemedyButtonProps) {
  // What the confirmation counts stays the same while the list changes behind it.
  const [ids, setIds] = useState<number[]>();
  const { button, explain, underWay } = BULK_LABELS[remedy];
  const having = differences.filter((difference) => difference.remedy === remedy);
  const open = having.filter(({ isRequested }) => !isRequested);
  const asked = having.length - open.length;
  const chosen = formatCount(ids?.length ?? 0);
  const { send, fault, isPending } = useCall('POST /api/admin/differences/remedies', {
    onDone({ requested }) {
      setIds(undefined);
      onDone();
      if (requested === ids?.length) return;
      toasts.add({
        title: `${formatCount(requested)} of ${chosen} are ${underWay}`,
        description: 'The others have changed since. Look at the list again.',
      });
    },
  });
  return (
    <>
      {asked > 0 && (
        <output>{`${formatCount(asked)}${asked === count ? '' : ` of ${formatCount(count)}`} ${underWay}.`}</output>
      )}
      {(ids !== undefined || open.length > 1) && (
        <CallButton look="line" size="small" onClick={() => setIds(open.map(({ id }) => id))}>
          {button(`all ${formatCount(open.length)}`)}…
        </CallButton>
      )}
      {ids && (
        <ConfirmDialog
          title={`${button(chosen)}?`}
          submit={button(chosen)}
          isPending={isPending}
          fault={fault}
          onSubmit={() => void send({ body: { ids } })}
          onClose={() => setIds(undefined)}
        >
          <p className={styles.words}>{explain}</p>
          <p className={styles.words}>
            The list shows how many are left. Activity records each of them.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
