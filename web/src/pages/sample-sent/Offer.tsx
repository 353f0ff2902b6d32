import {
  formatPence,
  listPricePence,
  UPSELL_PLANS,
  UPSELLS,
  upsellPricePence,
} from '@site/schema/offer';
import type { OfferPhase, UpsellPlan } from '@site/schema/offer';
import { useEffect, useRef } from 'react';
import { useOnline } from '../../site/OfflineNote.tsx';
import { SupportLink } from '../../site/SupportLink.tsx';
import { siteSettings } from '../../site-settings.ts';
import notice from '../../subscribe/Reassurance.module.css';
import { Refusal } from '../../subscribe/Reassurance.tsx';
import { Button } from '../../ui/Button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { TickIcon } from '../../ui/icons.tsx';
import { Sum } from '../../ui/Sum.tsx';
import styles from './SampleSentPage.module.css';
import type { UpsellFailure } from './use-upsell.ts';

type OfferProps = {
  plan: UpsellPlan;
  isPending: boolean;
  failure: UpsellFailure | undefined;
  isAgain: boolean;
  /** The other plan's checkout is being opened. */
  isHeld: boolean;
  onChoose: () => void;
};

/** One plan: its sum, its yearly cost and its button. The plan that costs least over a year says so. */
export function Offer({ plan, isPending, failure, isAgain, isHeld, onChoose }: OfferProps) {
  const { offerPhase } = siteSettings();
  const offer = offerSum(offerPhase, plan);
  const hasFailed = failure !== undefined && failure !== 'already-subscribed';
  const isOnline = useOnline();
  // What was pressed offline has not failed.
  const isOfConnection = hasFailed && (!isOnline || failure === 'offline');
  const costsLeast = UPSELL_PLANS.every(
    (other) => offer.yearPence <= offerSum(offerPhase, other).yearPence,
  );
  const look = costsLeast ? 'solid' : 'line';
  const below = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (hasFailed) below.current?.scrollIntoView({ block: 'nearest' });
  }, [hasFailed]);
  return (
    <section className={styles.offer} aria-labelledby={plan}>
      <div className={styles.head}>
        <h2 id={plan}>{offer.name}</h2>
        {costsLeast && (
          <p className={styles.least}>
            <TickIcon />
            Costs least over a year
          </p>
        )}
      </div>
      <Sum roomy terms={offer.terms} result={offer.result} />
      <dl className={styles.year}>
        <div>
          <dt>A year costs</dt>
          <dd>{offer.year}</dd>
        </div>
        <div>
          <dt>Saving a year</dt>
          <dd>
            <strong>{offer.saving}</strong>
          </dd>
        </div>
      </dl>
      <Button
        type="submit"
        name="plan"
        value={plan}
        look={look}
        pending={isPending}
        aria-disabled={isHeld || undefined}
        onClick={onChoose}
      >
        {offer.button}
      </Button>
      <div
        ref={below}
        className={styles.below}
        aria-live="polite"
        data-again={isPending || undefined}
        data-held={isHeld || undefined}
      >
        {failure === 'already-subscribed' && <Refusal />}
        {isOfConnection && (
          <p className={notice.notice}>
            <span>
              {isOnline
                ? 'You are back online. Nothing was charged. Choose again.'
                : `You are ${failure === 'offline' && isAgain ? 'still ' : ''}offline. Nothing was charged. Continue when you are back online.`}
            </span>
          </p>
        )}
        {hasFailed && !isOfConnection && (
          <p className={classNames(notice.notice, notice.failed)}>
            <span>
              <NotOpened
                wait={typeof failure === 'object' ? failure.wait : undefined}
                isAgain={isAgain}
              />
            </span>
          </p>
        )}
      </div>
    </section>
  );
}

export function NotOpened({
  wait,
  isAgain = false,
}: {
  wait?: string | undefined;
  isAgain?: boolean;
}) {
  if (wait !== undefined) {
    return (
      <>
        <strong>Too many requests.</strong> {wait} Nothing was charged.
      </>
    );
  }
  return (
    <>
      <strong>The payment page {isAgain && 'still '}did not open.</strong> Nothing was charged. Try
      again, or write to <SupportLink end="." />
    </>
  );
}

const BUTTONS: Record<UpsellPlan, string> = {
  monthly15: 'Get 15% Off – Monthly',
  annual25: 'Go Annual – Save 25%',
};

/** Calculates a plan's cost line by line, so that the two plans can be compared. Amounts are to the penny. */
export function offerSum(phase: OfferPhase, plan: UpsellPlan) {
  const { interval, percentOff } = UPSELLS[plan];
  const isAnnual = interval === 'annual';
  const listPence = listPricePence(phase, interval);
  const pricePence = upsellPricePence(phase, plan);
  const yearPence = isAnnual ? pricePence : pricePence * 12;
  const priceName = phase === 'launch' ? 'Launch price' : 'Price';
  return {
    name: isAnnual ? 'Annual' : 'Monthly',
    button: BUTTONS[plan],
    terms: [
      { label: isAnnual ? `${priceName} × 12` : priceName, value: exact(listPence) },
      { label: `Less ${percentOff}%`, value: `−${exact(listPence - pricePence)}` },
    ],
    result: { label: isAnnual ? 'Per year' : 'Per month', value: exact(pricePence) },
    year: `${exact(Math.round(yearPence / 12))} × 12 = ${exact(yearPence)}`,
    saving: exact(listPricePence(phase, 'annual') - yearPence),
    yearPence,
  };
}

function exact(pence: number): string {
  return formatPence(pence, true);
}
