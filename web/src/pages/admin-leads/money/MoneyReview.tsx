import type { Reviewable } from '@site/schema/calls/money';
import { Button } from '../../../ui/Button.tsx';

/** Marks items as reviewed. */
export type Review = {
  isUnderWay: (kind: Reviewable, id: string) => boolean;
  record: (kind: Reviewable, id: string) => Promise<void>;
};

type MoneyReviewProps = { kind: Reviewable; id: string; name: string; review: Review };

/** Marks an item as reviewed. It leaves the list, and the activity view shows who did it. */
export function MoneyReview({ kind, id, name, review }: MoneyReviewProps) {
  return (
    <Button
      look="line"
      size="small"
      pending={review.isUnderWay(kind, id)}
      pendingLabel="Saving..."
      aria-label={`Mark as reviewed: ${name}`}
      onClick={() => void review.record(kind, id)}
    >
      Mark as reviewed
    </Button>
  );
}
