import type { Reviewable } from '@site/schema/calls/money';
import { useSWRConfig } from 'swr';
import { Button } from '../../ui/Button.tsx';
import { useCall } from '../session/use-call.ts';
import { MONEY_ATTENTION } from './use-attention.ts';

type MoneyReviewProps = { kind: Reviewable; id: string; name: string; onReviewed: () => Promise<void> };

/** Marks an item as reviewed. It leaves the list, and the activity view shows who did it. */
export function MoneyReview({ kind, id, name, onReviewed }: MoneyReviewProps) {
  const { mutate } = useSWRConfig();
  const { send, isPending } = useCall(`POST /api/admin/money/${kind}/:id/review`, {
    failure: 'Review failed',
    onDone: () => Promise.all([onReviewed(), mutate(MONEY_ATTENTION)]),
  });
  return (
    <Button
      look="line"
      size="small"
      pending={isPending}
      pendingLabel="Saving..."
      aria-label={`Mark as reviewed: ${name}`}
      onClick={() => void send({ params: { id } })}
    >
      Mark as reviewed
    </Button>
  );
}
