import type { Reviewable } from '@site/schema/calls/attention';
import { useSWRConfig } from 'swr';
import { Button } from '../../ui/Button.tsx';
import { toUrl } from '../../http.ts';
import { toasts } from '../../ui/toast-store.ts';
import { useCall } from '../session/use-call.ts';

const ATTENTION = toUrl('GET /api/admin/attention');

type MoneyReviewProps = {
  kind: Reviewable;
  id: string;
  name: string;
  onReviewed: () => Promise<unknown>;
};

/** Marks an item as reviewed. It leaves the list, and the activity view shows who did it. */
export function MoneyReview({ kind, id, name, onReviewed }: MoneyReviewProps) {
  const { mutate } = useSWRConfig();
  const { send, isPending } = useCall('POST /api/admin/money/:kind/:id/review', {
    failure: 'Review failed',
    onDone: () => {
      toasts.add({ title: 'Reviewed', description: `${name}. Activity shows by whom.` });
      return Promise.all([onReviewed(), mutate(ATTENTION)]);
    },
  });
  return (
    <Button
      look="line"
      size="small"
      pending={isPending}
      pendingLabel="Saving..."
      aria-label={`Mark as reviewed: ${name}`}
      onClick={() => void send({ params: { kind, id } })}
    >
      Mark as reviewed
    </Button>
  );
}
