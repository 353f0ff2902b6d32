import type { MoneyAnswer } from '@site/schema/calls/money';
import { formatMoney } from '@site/schema/currency';
import { NOT_RECEIVING_REASONS, UNSETTLED_REASONS } from '@site/schema/money';
import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { SentIcon } from '../../ui/icons.tsx';
import { formatCount } from '../elements/format-count.ts';
import { SectionHead } from '../elements/SectionHead.tsx';
import { ChangedAddress } from './ChangedAddress.tsx';
import styles from './Money.module.css';
import { describeEvidence, describeReason } from './money-labels.ts';
import { MoneyItem, MoneyKind, StripeId } from './MoneyItem.tsx';
import { MoneyLeadLink } from './MoneyLeadLink.tsx';
import { MoneyReview } from './MoneyReview.tsx';
import { ParkedEvents } from './ParkedEvents.tsx';
import { PayerRemedyButton } from './PayerRemedyButton.tsx';
import { SubscriptionMenu } from './SubscriptionMenu.tsx';

type MoneyAttentionProps = {
  money: MoneyAnswer;
  now: Date;
  /** Loads the view again, after a review, a refund, a cancellation or a change of address. */
  onChange: () => Promise<unknown>;
};

/** What only a person can settle, each with what to do about it. */
export function MoneyAttention({ money, now, onChange }: MoneyAttentionProps) {
  const { openDisputes, failedRefunds, payerMismatches, secondLive } = money;
  const inStripe = (path: string) => `${money.dashboardUrl}/${path}`;
  const heading = useRef<HTMLHeadingElement>(null);
  // Every list of the answer needs attention.
  const count = Object.values(money).reduce<number>((sum, part) => sum + (Array.isArray(part) ? part.length : 0), 0);
  const onReviewed = async () => {
    await onChange();
    // The button disappears with its item, so the heading takes the focus: the one that is drawn without the item.
    flushSync(() => undefined);
    heading.current?.focus();
  };
  return (
    <section aria-label="Needs attention">
      {count === 0 ? (
        <h2 className={styles.calm} ref={heading} tabIndex={-1}>
          <SentIcon /> Nothing needs attention.
        </h2>
      ) : (
        <SectionHead title="Needs attention" aside={formatCount(count)} headingRef={heading} />
      )}
      <MoneyKind
        title="Pay but do not get the newsletter"
        count={money.notReceiving.length}
        advice="Put it right, or contact or refund them. They leave this list once Beehiiv has them with premium."
      >
        {money.notReceiving.map(({ reason, ...payer }) => (
          <MoneyItem
            key={payer.stripeSubscriptionId}
            what={<MoneyLeadLink leadId={payer.leadId} email={payer.email} />}
            more={`${NOT_RECEIVING_REASONS[reason].label}.`}
            acts={<PayerRemedyButton payer={payer} onDone={onReviewed} />}
          >
            <SubscriptionMenu id={payer.stripeSubscriptionId} onDone={() => void onChange()} />
          </MoneyItem>
        ))}
      </MoneyKind>
      <MoneyKind
        title="Disputes"
        count={openDisputes.length}
        advice="Answer in Stripe’s dashboard before the deadline. Stripe’s decision appears here automatically."
      >
        {openDisputes.map((dispute) => (
          <MoneyItem
            key={dispute.id}
            at={dispute.openedAt}
            now={now}
            what={
              <>
                <strong>{formatMoney(dispute.amountPence, dispute.currency)}</strong> from{' '}
                {dispute.email === null ? (
                  'an erased person'
                ) : (
                  <MoneyLeadLink leadId={dispute.leadId} email={dispute.email} />
                )}
              </>
            }
            more={
              <>
                {describeReason(dispute.reason)}: {describeEvidence(dispute, now)}.{' '}
                {dispute.refundedPence > 0 &&
                  `${formatMoney(dispute.refundedPence, dispute.currency)} refunded already. `}
                <StripeId to={inStripe(`disputes/${dispute.id}`)}>{dispute.id}</StripeId>
              </>
            }
          >
            {dispute.email !== null && (
              <SubscriptionMenu id={dispute.stripeSubscriptionId} onDone={() => void onChange()} />
            )}
          </MoneyItem>
        ))}
      </MoneyKind>
      <MoneyKind
        title="Still running without payment"
        count={money.unsettled.length}
        advice="Cancel the subscription, or mark it as reviewed to let it continue."
      >
        {money.unsettled.map(({ stripeSubscriptionId, leadId, email, reason, amountPence, currency, since }) => (
          <MoneyItem
            key={stripeSubscriptionId}
            at={since}
            now={now}
            what={email === null ? 'An erased person' : <MoneyLeadLink leadId={leadId} email={email} />}
            more={
              <>
                {UNSETTLED_REASONS[reason]}: {formatMoney(amountPence, currency)}.{' '}
                <StripeId to={inStripe(`subscriptions/${stripeSubscriptionId}`)}>{stripeSubscriptionId}</StripeId>
              </>
            }
            acts={
              <MoneyReview
                kind="subscriptions"
                id={stripeSubscriptionId}
                name={email ?? stripeSubscriptionId}
                onReviewed={onReviewed}
              />
            }
          >
            {email !== null && <SubscriptionMenu id={stripeSubscriptionId} onDone={() => void onChange()} />}
          </MoneyItem>
        ))}
      </MoneyKind>
      <MoneyKind
        title="Failed refunds"
        count={failedRefunds.length}
        advice="The customer does not have the money: the bank returned it. Refund them another way, then mark it as reviewed."
      >
        {failedRefunds.map(({ id, leadId, email, amountPence, currency, reason, refundedAt }) => (
          <MoneyItem
            key={id}
            at={refundedAt}
            now={now}
            what={
              <>
                <strong>{formatMoney(amountPence, currency)}</strong> to{' '}
                {email === null ? 'an erased person' : <MoneyLeadLink leadId={leadId} email={email} />}
              </>
            }
            more={
              <>
                {reason !== null && `${describeReason(reason)}. `}
                <StripeId to={inStripe(`refunds/${id}`)}>{id}</StripeId>
              </>
            }
            acts={<MoneyReview kind="refunds" id={id} name={`refund ${id}`} onReviewed={onReviewed} />}
          />
        ))}
      </MoneyKind>
      <ParkedEvents events={money.parkedEvents} dashboardUrl={money.dashboardUrl} now={now} onReviewed={onReviewed} />
      <MoneyKind
        title="Addresses changed in Stripe"
        count={money.changedAddresses.length}
        advice="The newsletter still goes to the old address. Using the new one unsubscribes the old one; keeping the old one changes Stripe back."
      >
        {money.changedAddresses.map((changed) => (
          <ChangedAddress
            key={changed.stripeSubscriptionId}
            changed={changed}
            dashboardUrl={money.dashboardUrl}
            onDone={onReviewed}
          />
        ))}
      </MoneyKind>
      <MoneyKind
        title="Payments from another address"
        count={payerMismatches.length}
        advice="The paid newsletter goes to the payer’s address. Check whether both addresses belong to one person, then mark it as reviewed."
      >
        {payerMismatches.map(({ stripeSubscriptionId, leadId, leadEmail, payerEmail, foundAt }) => (
          <MoneyItem
            key={stripeSubscriptionId}
            at={foundAt}
            now={now}
            what={
              <>
                <MoneyLeadLink leadId={leadId} email={leadEmail} /> was paid for by{' '}
                <strong>
                  <bdi>{payerEmail}</bdi>
                </strong>
              </>
            }
            more={<StripeId to={inStripe(`subscriptions/${stripeSubscriptionId}`)}>{stripeSubscriptionId}</StripeId>}
            acts={<MoneyReview kind="mismatches" id={stripeSubscriptionId} name={payerEmail} onReviewed={onReviewed} />}
          >
            <SubscriptionMenu id={stripeSubscriptionId} onDone={() => void onChange()} />
          </MoneyItem>
        ))}
      </MoneyKind>
      <MoneyKind
        title="Second subscriptions"
        count={secondLive.length}
        advice="These addresses pay twice. Ask the customer which subscription to keep, and cancel the other. Then mark it as reviewed. It returns only if the address pays twice again."
      >
        {secondLive.map(({ stripeSubscriptionId, leadId, email, since }) => (
          <MoneyItem
            key={stripeSubscriptionId}
            at={since}
            now={now}
            what={<MoneyLeadLink leadId={leadId} email={email} />}
            more={<StripeId to={inStripe(`subscriptions/${stripeSubscriptionId}`)}>{stripeSubscriptionId}</StripeId>}
            acts={
              <MoneyReview
                kind="second-subscriptions"
                id={stripeSubscriptionId}
                name={`${stripeSubscriptionId} of ${email}`}
                onReviewed={onReviewed}
              />
            }
          >
            <SubscriptionMenu id={stripeSubscriptionId} onDone={() => void onChange()} />
          </MoneyItem>
        ))}
      </MoneyKind>
    </section>
  );
}
