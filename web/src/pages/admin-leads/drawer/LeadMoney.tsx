import type { LeadDetailAnswer } from '@site/schema/admin';
import styles from './Drawer.module.css';
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
          <div>
            <dt>Checkout</dt>
            <dd>No checkout has been completed or abandoned</dd>
          </div>
        )}
        {subscriptions.map((subscription) => (
          <div key={subscription.stripeSubscriptionId}>
            <dt>Subscription</dt>
            <dd>
              {describeSubscription(subscription, now)}.
              <span className={styles.technical}>
                <bdi>{subscription.email}</bdi>, {subscription.stripeSubscriptionId}, {subscription.stripeCustomerId}
              </span>
            </dd>
          </div>
        ))}
        {checkouts.map((checkout) => (
          <div key={checkout.id}>
            <dt>Checkout</dt>
            <dd title={`Opened ${formatFully(new Date(checkout.startedAt))}`}>
              {describeCheckout(checkout, now)}.{' '}
              {checkout.state === 'abandoned' && <RecoveryLink checkout={checkout} now={now} />}
              <span className={styles.technical}>{checkout.id}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
