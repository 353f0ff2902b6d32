import { FAILURE_DURATION_MS, toasts } from '../../ui/toast-store.ts';
import { useCall } from '../session/use-call.ts';
import { LinkButton } from '../shared/fields.tsx';

type ContactedProps = {
  /** The checkout or the subscription. */
  id: string;
  whom: string;
  isContacted?: boolean;
  onDone: () => Promise<unknown>;
};

/** Notes that somebody was contacted, or undoes that. A viewer sees nothing. */
export function Contacted({ id, whom, isContacted = false, onDone }: ContactedProps) {
  const params = { id };
  const notice = 'Could not be noted';
  const undoing = useCall('DELETE /api/admin/money/calls/:id/contacted', { notice, onDone });
  const marking = useCall('POST /api/admin/money/calls/:id/contacted', {
    notice,
    onDone() {
      toasts.add({
        title: 'Contacted',
        description: whom,
        durationMs: FAILURE_DURATION_MS,
        // The row has disappeared by then.
        onUndo: () => void undoing.send({ params }),
      });
      return onDone();
    },
  });
  const { send, isPending, isViewer } = isContacted ? undoing : marking;
  if (isViewer) return null;
  return (
    <LinkButton
      aria-label={`${isContacted ? 'Undo contacted' : 'Contacted'}: ${whom}`}
      aria-disabled={isPending || undefined}
      onClick={() => void send({ params })}
    >
      {isContacted ? 'Undo' : 'Contacted'}
    </LinkButton>
  );
}
