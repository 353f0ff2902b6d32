import type { QuarantineChoice } from '@site/schema/calls/leads';
import type { RetryFilter } from '@site/schema/calls/retry';
import { lazy, Suspense, useState } from 'react';
import { useIsViewer } from '../session/session.ts';
import { Button } from '../../ui/Button.tsx';

const RetryDialog = lazy(async () => ({
  default: (await import('./RetryDialog.tsx')).RetryDialog,
}));
const DeleteQuarantined = lazy(async () => ({
  default: (await import('./DeleteQuarantined.tsx')).DeleteQuarantined,
}));

type Retry = { label: string; title: string; filter: RetryFilter };
type Deletion = {
  label: string;
  choice: QuarantineChoice;
  count: number;
  person?: string | undefined;
};
type BulkButtonsProps = {
  retry?: Retry | false;
  send?: Retry | false;
  remove?: Deletion | false;
  onDone?: () => void;
};

/**
 * Offers the actions for many leads: retry failed leads, and send or delete quarantined leads. Each
 * asks first.
 */
export function BulkButtons({ retry, send, remove, onDone = () => undefined }: BulkButtonsProps) {
  const [open, setOpen] = useState<'retry' | 'send' | 'remove'>();
  const isViewer = useIsViewer();
  if (isViewer) return null;
  const onClose = () => setOpen(undefined);
  const buttons = [
    ['retry', retry],
    ['send', send],
    ['remove', remove],
  ] as const;
  return (
    <>
      {buttons.map(
        ([what, action]) =>
          action && (
            <Button key={what} look="line" size="small" onClick={() => setOpen(what)}>
              {action.label}
            </Button>
          ),
      )}
      <Suspense fallback={null}>
        {open === 'retry' && retry && (
          <RetryDialog {...retry} onClose={onClose} onStarted={onDone} />
        )}
        {open === 'send' && send && (
          <RetryDialog {...send} withQuarantined onClose={onClose} onStarted={onDone} />
        )}
        {open === 'remove' && remove && (
          <DeleteQuarantined {...remove} onClose={onClose} onDeleted={onDone} />
        )}
      </Suspense>
    </>
  );
}
