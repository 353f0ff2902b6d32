import type { MoneyAnswer } from '@site/schema/calls/money';
import { Button } from '../../ui/Button.tsx';
import { useCall } from '../session/use-call.ts';

type SettleAddressProps = { changed: MoneyAnswer['changedAddresses'][number]; onDone: () => Promise<void> };

/** Takes over a payer's address that was changed in Stripe, or gives Stripe the one that is stored here. */
export function SettleAddress({ changed, onDone }: SettleAddressProps) {
  const { stripeSubscriptionId, email, customerEmail } = changed;
  const { send, isPending } = useCall('POST /api/admin/subscriptions/:id/delivery-address', {
    failure: 'The address was not changed',
    onDone,
  });
  const settle = (label: string, to: string) => (
    <Button
      look="line"
      size="small"
      pending={isPending}
      pendingLabel="Changing..."
      aria-label={`${label}: ${to}`}
      onClick={() => void send({ params: { id: stripeSubscriptionId }, body: { email: to, correctsPayer: true } })}
    >
      {label}
    </Button>
  );
  return (
    <>
      {settle('Use the new address', customerEmail)}
      {settle('Keep the old address', email)}
    </>
  );
}
