import type { LeadDetailAnswer } from '@site/schema/admin';
import styles from './Drawer.module.css';
import { Fact } from './Fact.tsx';
import { formatFully } from '../time/london-time.ts';
import { describeCheckout, describeSubscription } from '../money/money-labels.ts';
import { RecoveryLink } from '../money/RecoveryLink.tsx';

type LeadMoneyProps = { detail: Pick<LeadDetailAnswer, 'checkouts' | 'subscriptions'>; now: Date };

/** How the lead's checkouts ended, and the subscriptions that came of them. */
export function LeadMoney({ detail: { checkouts, subscriptions }, now }: LeadMoneyProps) {
  return (
    <section aria-label="Checkout">
      <h3 className={styles.section}>Checkout</h3>
      <dl className={styles.facts}>
        {checkouts.length + subscriptions.length === 0 && (
          <Fact name="Checkout">No checkout has been completed or abandoned</Fact>
        )}
        {subscriptions.map((subscription) => (
          <Fact key={subscription.stripeSubscriptionId} name="Subscription">
            {describeSubscription(subscription, now)}.
            <span className={styles.technical}>
              <bdi>{subscription.email}</bdi>, {subscription.stripeSubscriptionId}, {subscription.stripeCustomerId}
            </span>
          </Fact>
        ))}
        {checkouts.map((checkout) => (
          <Fact key={checkout.id} name="Checkout" title={`Opened ${formatFully(new Date(checkout.startedAt))}`}>
            {describeCheckout(checkout, now)}.{' '}
            {checkout.state === 'abandoned' && <RecoveryLink checkout={checkout} now={now} />}
            <span className={styles.technical}>{checkout.id}</span>
          </Fact>
        ))}
      </dl>
    </section>
  );
}
