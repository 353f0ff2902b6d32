import type { MoneyAnswer, Reviewable } from '@site/schema/calls/money';
import { useSWRConfig } from 'swr';
import { CallButton } from '../shared/CallButton.tsx';
import { toUrl } from '../../http.ts';
import { toasts } from '../../ui/toast-store.ts';
import { useCall } from '../session/use-call.ts';

const MONEY_ATTENTION = toUrl('GET /api/admin/money/attention');

type MoneyReviewProps = {
  kind: Reviewable;
  id: string;
  name: string;
  onReviewed: () => Promise<void>;
};

/** Marks an item as reviewed. It leaves the list, and the activity view shows who did it. */
export function MoneyReview({ kind, id, name, onReviewed }: MoneyReviewProps) {
  const { mutate } = useSWRConfig();
  const { send, isPending } = useCall(`POST /api/admin/money/${kind}/:id/review`, {
    failure: 'Review failed',
    onDone: () => {
      toasts.add({ title: 'Reviewed', description: `${name}. Activity shows by whom.` });
      return Promise.all([onReviewed(), mutate(MONEY_ATTENTION)]);
    },
  });
  return (
    <CallButton
      look="line"
      size="small"
      pending={isPending}
      pendingLabel="Saving..."
      aria-label={`Mark as reviewed: ${name}`}
      onClick={() => void send({ params: { id } })}
    >
      Mark as reviewed
    </CallButton>
  );
}

type SettleAddressProps = {
  changed: MoneyAnswer['changedAddresses'][number];
  onDone: () => Promise<void>;
};

/** Takes over a payer's address that was changed in Stripe, or gives Stripe the one that is stored here. */
export function SettleAddress({ changed, onDone }: SettleAddressProps) {
  const { stripeSubscriptionId, email, customerEmail } = changed;
  const { send, isPending } = useCall('POST /api/admin/subscriptions/:id/address', {
    failure: 'The address was not changed',
    onDone,
  });
  const settle = (label: string, to: string) => (
    <CallButton
      look="line"
      size="small"
      pending={isPending}
      pendingLabel="Changing..."
      aria-label={`${label}: ${to}`}
      onClick={() => void send({ params: { id: stripeSubscriptionId }, body: { email: to } })}
    >
      {label}
    </CallButton>
  );
  return (
    <>
      {settle('Use the new address', customerEmail)}
      {settle('Keep the old address', email)}
    </>
  );
}
