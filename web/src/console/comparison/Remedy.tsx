import type { DifferenceKind } from '@site/schema/differences';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../shared/ConfirmDialog.tsx';
import styles from '../shared/dialog.module.css';
import { formatCount } from '../shared/format.ts';
import { useCall } from '../session/use-call.ts';

type RemedyProps = {
  kind: DifferenceKind;
  title: string;
  /** The kind's differences with a safe remedy that nobody has requested yet. */
  count: number;
  onDone: () => Promise<unknown>;
};

/** Applies the safe remedies of one kind, after a confirmation. */
export function Remedy({ kind, title, count, onDone }: RemedyProps) {
  const [isOpen, setOpen] = useState(false);
  const { send, failure, isPending, isViewer } = useCall('POST /api/admin/differences/remedies', {
    async onDone() {
      await onDone();
      setOpen(false);
    },
  });
  return (
    <>
      {count > 0 && !isViewer && (
        <Button look="line" size="small" onClick={() => setOpen(true)}>
          Fix all {formatCount(count)}…
        </Button>
      )}
      {isOpen && (
        <ConfirmDialog
          title={`Fix ${formatCount(count)}?`}
          submit={`Fix ${formatCount(count)}`}
          isPending={isPending}
          failure={failure}
          onSubmit={() => void send({ body: { kind } })}
          onClose={() => setOpen(false)}
        >
          <p className={styles.words}>
            {title}:{' '}
            {kind === 'missing-there'
              ? 'each is added to Beehiiv again. Nobody is added twice, and whoever ' +
                'unsubscribed stays so. If you deleted somebody at Beehiiv on purpose, close ' +
                'this.'
              : 'each is added to Beehiiv again or moved to the paid list.'}
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
