import type { MoneyAnswer } from '@site/schema/money';
import { formatPence } from '@site/schema/offer';
import { useRef } from 'react';
import type { ReactNode } from 'react';
import { Button } from '../../ui/Button.tsx';
import { formatFully, formatMoment } from './london-time.ts';
import styles from './Money.module.css';
import { describeEvidence, describeReason } from './money-words.ts';
import { MoneyLeadLink } from './MoneyLeadLink.tsx';
import { ParkedEvents } from './ParkedEvents.tsx';

type MoneyAttentionProps = {
  money: MoneyAnswer;
  now: Date;
  /** The mismatch whose review is on its way. */
  reviewing: string | undefined;
  onReview: (stripeSubscriptionId: string) => Promise<boolean>;
  onSignedOut: () => void;
};

/** What nobody but a person can decide, each with what to do about it. */
export function MoneyAttention({ money, now, reviewing, onReview, onSignedOut }: MoneyAttentionProps) {
  const { parkedEvents, payerMismatches, secondLive, openDisputes } = money;
  const heading = useRef<HTMLHeadingElement>(null);
  const count = parkedEvents.length + payerMismatches.length + secondLive.length + openDisputes.length;
  const review = async (id: string) => {
    // The button goes with its row; the focus must not go with it.
    if (await onReview(id)) heading.current?.focus();
  };
  return (
    <section aria-label="To look at">
      <h2 className={styles.heading} ref={heading} tabIndex={-1}>
        To look at {count > 0 && <span className={styles.aside}>{count.toLocaleString('en-GB')}</span>}
      </h2>
      {count === 0 && <p>Nothing waits for a person. What Stripe could not settle by itself will stand here.</p>}
      <Kind
        title="Disputes"
        count={openDisputes.length}
        advice="Answer in Stripe’s dashboard before the day; what Stripe decides arrives here by itself."
      >
        {openDisputes.map((dispute) => (
          <li key={dispute.id} className={styles.item}>
            <span className={styles.what}>
              <strong>{formatPence(dispute.amountPence, true)}</strong> from{' '}
              <MoneyLeadLink leadId={dispute.leadId} email={dispute.email} />
            </span>
            <span className={styles.more}>
              {describeReason(dispute.reason)}: {describeEvidence(dispute, now)}. <Id>{dispute.id}</Id>
            </span>
            <When at={dispute.openedAt} now={now} />
          </li>
        ))}
      </Kind>
      <ParkedEvents events={parkedEvents} now={now} onSignedOut={onSignedOut} />
      <Kind
        title="Payers with another address"
        count={payerMismatches.length}
        advice="The paid issue goes to the payer’s address. See whether both are the same person, then mark it."
      >
        {payerMismatches.map((mismatch) => (
          <li key={mismatch.stripeSubscriptionId} className={styles.item}>
            <span className={styles.what}>
              <MoneyLeadLink leadId={mismatch.leadId} email={mismatch.leadEmail} /> was paid for by{' '}
              <strong>
                <bdi>{mismatch.payerEmail}</bdi>
              </strong>
            </span>
            <span className={styles.more}>
              <Id>{mismatch.stripeSubscriptionId}</Id>
            </span>
            <When at={mismatch.foundAt} now={now} />
            <Button
              look="line"
              size="small"
              className={styles.act}
              pending={reviewing === mismatch.stripeSubscriptionId}
              pendingLabel="Noting..."
              aria-label={`Reviewed: ${mismatch.payerEmail}`}
              onClick={() => void review(mismatch.stripeSubscriptionId)}
            >
              Reviewed
            </Button>
          </li>
        ))}
      </Kind>
      <Kind
        title="Second subscriptions of one address"
        count={secondLive.length}
        advice="The address pays twice. Ask the reader which one to keep and cancel the other in Stripe: nothing is cancelled from here."
      >
        {secondLive.map(({ stripeSubscriptionId, leadId, email, since }) => (
          <li key={stripeSubscriptionId} className={styles.item}>
            <span className={styles.what}>
              <MoneyLeadLink leadId={leadId} email={email} />
            </span>
            <span className={styles.more}>
              <Id>{stripeSubscriptionId}</Id>
            </span>
            <When at={since} now={now} />
          </li>
        ))}
      </Kind>
    </section>
  );
}

type KindProps = { title: string; count: number; advice: string; children: ReactNode };

function Kind({ title, count, advice, children }: KindProps) {
  if (count === 0) return null;
  return (
    <section className={styles.kind} aria-label={title}>
      <h3>{title}</h3>
      <p className={styles.quiet}>{advice}</p>
      <ul className={styles.items}>{children}</ul>
    </section>
  );
}

function Id({ children }: { children: string }) {
  return <code className={styles.id}>{children}</code>;
}

function When({ at, now }: { at: string; now: Date }) {
  return (
    <time className={styles.when} dateTime={at} title={formatFully(new Date(at))}>
      {formatMoment(new Date(at), now)}
    </time>
  );
}
