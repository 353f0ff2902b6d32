import type { LeadCheckout } from '@site/schema/money';
import { describeRecovery } from './money-labels.ts';

type RecoveryLinkProps = { checkout: Pick<LeadCheckout, 'recoveryUrl' | 'recoveryEndsAt'>; now: Date };

/** Stripe's way back to a checkout that was left, as long as it works. */
export function RecoveryLink({ checkout, now }: RecoveryLinkProps) {
  const { url, words } = describeRecovery(checkout, now);
  if (url === undefined) return words;
  return (
    <>
      <a href={url} target="_blank" rel="noopener noreferrer">
        Stripe’s link
      </a>{' '}
      {words}
    </>
  );
}
