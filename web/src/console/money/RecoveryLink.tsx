import type { LeadCheckout } from '@site/schema/calls/subscriptions';
import { describeRecovery } from './money-labels.ts';

type RecoveryLinkProps = { checkout: Pick<LeadCheckout, 'recoveryUrl' | 'recoveryEndsAt'>; now: Date };

/** Stripe's link that reopens an abandoned checkout, while it is valid. */
export function RecoveryLink({ checkout, now }: RecoveryLinkProps) {
  const { url, validity } = describeRecovery(checkout, now);
  if (url === undefined) return validity;
  return (
    <>
      <a href={url} target="_blank" rel="noopener noreferrer">
        Recovery link
      </a>{' '}
      {validity}
    </>
  );
}
