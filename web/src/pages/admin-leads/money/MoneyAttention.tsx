import type { MoneyAnswer, Reviewable } from '@site/schema/money';
import { formatPence } from '@site/schema/offer';
import { useRef } from 'react';
import styles from './Money.module.css';
import { describeEvidence, describeReason } from './money-labels.ts';
import { MoneyItem, StripeId } from './MoneyItem.tsx';
import { MoneyKind } from './MoneyKind.tsx';
import { MoneyLeadLink } from './MoneyLeadLink.tsx';
import { MoneyReview } from './MoneyReview.tsx';
import type { Review } from './MoneyReview.tsx';
import { ParkedEvents } from './ParkedEvents.tsx';

type MoneyAttentionProps = {
  money: MoneyAnswer;
  now: Date;
  isReviewing: Review['isUnderWay'];
  /** Returns whether the review was recorded. */
  onReview: (kind: Reviewable, id: string) => Promise<boolean>;
};

/** What only a person can settle, each with what to do about it. */
export function MoneyAttention({ money, now, isReviewing, onReview }: MoneyAttentionProps) {
  const { parkedEvents, payerMismatches, secondLive, openDisputes } = money;
  const heading = useRef<HTMLHeadingElement>(null);
  const count = parkedEvents.length + payerMismatches.length + secondLive.length + openDisputes.length;
  const review: Review = {
    isUnderWay: isReviewing,
    note: async (kind, id) => {
      // The button disappears with its item, so the heading takes the focus.
      if (await onReview(kind, id)) heading.current?.focus();
    },
  };
  return (
    <section aria-label="To look at">
      <h2 className={styles.heading} ref={heading} tabIndex={-1}>
        To look at {count > 0 && <span className={styles.aside}>{count.toLocaleString('en-GB')}</span>}
      </h2>
      {count === 0 && <p>Nothing waits for a person. What Stripe could not settle by itself will stand here.</p>}
      <MoneyKind
        title="Disputes"
        count={openDisputes.length}
        advice="Answer in Stripe’s dashboard before the day; what Stripe decides arrives here by itself."
      >
        {openDisputes.map((dispute) => (
          <MoneyItem
            key={dispute.id}
            at={dispute.openedAt}
            now={now}
            what={
              <>
                <strong>{formatPence(dispute.amountPence, true)}</strong> from{' '}
                {dispute.email === null ? (
                  'somebody who was erased'
                ) : (
                  <MoneyLeadLink leadId={dispute.leadId} email={dispute.email} />
                )}
              </>
            }
            more={
              <>
                {describeReason(dispute.reason)}: {describeEvidence(dispute, now)}. <StripeId>{dispute.id}</StripeId>
              </>
            }
          />
        ))}
      </MoneyKind>
      <ParkedEvents events={parkedEvents} now={now} review={review} />
      <MoneyKind
        title="Payers with another address"
        count={payerMismatches.length}
        advice="The paid issue goes to the payer’s address. See whether both are the same person, then mark it."
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
            more={<StripeId>{stripeSubscriptionId}</StripeId>}
            acts={<MoneyReview kind="mismatches" id={stripeSubscriptionId} name={payerEmail} review={review} />}
          />
        ))}
      </MoneyKind>
      <MoneyKind
        title="Second subscriptions of one address"
        count={secondLive.length}
        advice="The address pays twice. Ask the subscriber which one to keep and cancel the other in Stripe: nothing is cancelled from here. Then mark it; it stands here again only if the address pays twice anew."
      >
        {secondLive.map(({ stripeSubscriptionId, leadId, email, since }) => (
          <MoneyItem
            key={stripeSubscriptionId}
            at={since}
            now={now}
            what={<MoneyLeadLink leadId={leadId} email={email} />}
            more={<StripeId>{stripeSubscriptionId}</StripeId>}
            acts={
              <MoneyReview
                kind="second-subscriptions"
                id={stripeSubscriptionId}
                name={`${stripeSubscriptionId} of ${email}`}
                review={review}
              />
            }
          />
        ))}
      </MoneyKind>
    </section>
  );
}
