import type { LeadDetailAnswer } from '@site/schema/calls/leads';
import { useSWRConfig } from 'swr';
import { toUrl } from '../../http.ts';
import styles from './Drawer.module.css';
import { Fact } from './Fact.tsx';
import { formatDate, formatFully } from '../time/london-time.ts';
import { describeCheckout, describeSubscription } from '../money/money-labels.ts';
import { SubscriptionActions } from '../money/SubscriptionActions.tsx';
import { RecoveryLink } from '../money/RecoveryLink.tsx';
import { StripeLink } from '../money/StripeLink.tsx';

type LeadMoneyProps = {
  detail: Pick<LeadDetailAnswer, 'lead' | 'checkouts' | 'subscriptions' | 'complimentary'>;
  now: Date;
};

/** How the lead's checkouts ended, the subscriptions that came of them, and access without payment. */
export function LeadMoney({ detail: { lead, checkouts, subscriptions, complimentary }, now }: LeadMoneyProps) {
  const { mutate } = useSWRConfig();
  return (
    <section aria-label="Checkout">
      <h3 className={styles.section}>Checkout</h3>
      <dl className={styles.facts}>
        {checkouts.length + subscriptions.length === 0 && (
          <Fact name="Stripe">No checkout was completed or abandoned</Fact>
        )}
        {subscriptions.map((subscription) => (
          <Fact key={subscription.stripeSubscriptionId} name="Subscription">
            {describeSubscription(subscription, now)}.
            <span className={styles.technical} title={subscription.stripeSubscriptionId}>
              <bdi>
                {subscription.email}
                {subscription.deliveryEmail !== subscription.email && ` (delivered to ${subscription.deliveryEmail})`}
              </bdi>
              {' · '}
              <a href={subscription.customerUrl} target="_blank" rel="noreferrer" title={subscription.stripeCustomerId}>
                Customer in Stripe
              </a>
            </span>
            {subscription.unreadParts.length > 0 && (
              <span className={styles.technical}>
                Could not be read from Stripe: {subscription.unreadParts.join(', ')}. What is shown of it may be older.
              </span>
            )}
            <SubscriptionActions
              subscription={subscription}
              onDone={() => void mutate(toUrl('GET /api/admin/leads/:id', { params: { id: lead.id } }))}
            />
          </Fact>
        ))}
        {complimentary && (
          <Fact name="Complimentary access">
            {complimentary.isOver ? 'Ended' : 'Until'} {formatDate(new Date(complimentary.until))}, given by{' '}
            <bdi>{complimentary.grantedBy}</bdi>.
          </Fact>
        )}
        {checkouts.map((checkout) => (
          <Fact
            key={checkout.id}
            name="Session"
            title={`Opened ${formatFully(new Date(checkout.startedAt))}\n${checkout.id}`}
          >
            {describeCheckout(checkout, now)}.{' '}
            {checkout.state === 'abandoned' && <RecoveryLink checkout={checkout} now={now} />}{' '}
            <StripeLink to={checkout.dashboardUrl} name={checkout.id} />
          </Fact>
        ))}
      </dl>
    </section>
  );
}
