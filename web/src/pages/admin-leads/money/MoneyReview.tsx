import type { Reviewable } from '@site/schema/money';
import { Button } from '../../../ui/Button.tsx';

/** A way to say that something was looked at. */
export type Review = {
  isUnderWay: (kind: Reviewable, id: string) => boolean;
  note: (kind: Reviewable, id: string) => Promise<void>;
};

type MoneyReviewProps = { kind: Reviewable; id: string; name: string; review: Review };

/** Says that a person looked at it: it leaves the list, and who and when is put on record. */
export function MoneyReview({ kind, id, name, review }: MoneyReviewProps) {
  return (
    <Button
      look="line"
      size="small"
      pending={review.isUnderWay(kind, id)}
      pendingLabel="Noting..."
      aria-label={`Reviewed: ${name}`}
      onClick={() => void review.note(kind, id)}
    >
      Reviewed
    </Button>
  );
}
