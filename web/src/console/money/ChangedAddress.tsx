import type { MoneyAnswer } from '@site/schema/calls/money';
import { Button } from '../../ui/Button.tsx';
import { useCall } from '../session/use-call.ts';
import { MoneyItem, StripeId } from './MoneyItem.tsx';
import { MoneyLeadLink } from './MoneyLeadLink.tsx';

type ChangedAddressProps = {
  changed: MoneyAnswer['changedAddresses'][number];
  dashboardUrl: string;
  onDone: () => Promise<void>;
};

/** A payer whose address was changed in Stripe: it is taken over, or Stripe gets the one that is stored here. */
export function ChangedAddress({ changed, dashboardUrl, onDone }: ChangedAddressProps) {
  const { stripeSubscriptionId, leadId, email, customerEmail } = changed;
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
    <MoneyItem
      what={
        <>
          <MoneyLeadLink leadId={leadId} email={email} /> is{' '}
          <strong>
            <bdi>{customerEmail}</bdi>
          </strong>{' '}
          in Stripe
        </>
      }
      more={<StripeId to={`${dashboardUrl}/subscriptions/${stripeSubscriptionId}`}>{stripeSubscriptionId}</StripeId>}
      acts={
        <>
          {settle('Use the new address', customerEmail)}
          {settle('Keep the old address', email)}
        </>
      }
    />
  );
}
