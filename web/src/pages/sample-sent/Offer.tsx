import {
  formatPence,
  listPricePence,
  UPSELL_PLANS,
  UPSELLS,
  upsellPricePence,
} from '@site/schema/offer';
import type { OfferPhase, UpsellPlan } from '@site/schema/offer';
import { useOnline } from '../../site/use-online.ts';
import { SupportLink } from '../../site/SupportLink.tsx';
import { siteSettings } from '../../site-settings.ts';
import { Notice, SubscriberNotice } from '../../subscribe/Notice.tsx';
import notice from '../../subscribe/Notice.module.css';
import { Button } from '../../ui/Button.tsx';
import { TickIcon } from '../../ui/icons.tsx';
import { Sum } from '../../ui/Sum.tsx';
import styles from './SampleSentPage.module.css';
import type { UpsellFailure } from './use-upsell.ts';

type OfferProps = {
  plan: UpsellPlan;
  isPending: boolean;
  failure: UpsellFailure | undefined;
  onChoose: () => void;
};

/**
 * Renders one plan: its sum, its yearly cost and its button. The plan with the lowest yearly cost
 * is marked.
 */
export function Offer({ plan, isPending, failure, onChoose }: OfferProps) {
  const { offerPhase } = siteSettings();
  const offer = offerSum(offerPhase, plan);
  const costsLeast = UPSELL_PLANS.every(
    (other) => offer.yearPence <= offerSum(offerPhase, other).yearPence,
  );
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
      <Sum terms={offer.terms} result={offer.result} />
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
        look={costsLeast ? 'solid' : 'line'}
        pending={isPending}
        onClick={onChoose}
      >
        {offer.button}
      </Button>
      <div aria-live="polite">{failure !== undefined && <Failure failure={failure} />}</div>
    </section>
  );
}

function Failure({ failure }: { failure: UpsellFailure }) {
  const isOnline = useOnline();
  if (failure === 'already-subscribed') return <SubscriberNotice />;
  if (failure !== 'offline')
    return <NotOpened wait={typeof failure === 'object' ? failure.wait : undefined} />;
  return (
    <p className={notice.notice}>
      {isOnline
        ? 'You are back online. Nothing was charged. Choose again.'
        : 'You are offline. Nothing was charged. Continue when you are back online.'}
    </p>
  );
}

export function NotOpened({ wait }: { wait?: string | undefined }) {
  if (wait !== undefined) {
    return (
      <Notice title="Too many requests." hasFailed>
        {wait} Nothing was charged.
      </Notice>
    );
  }
  return (
    <Notice title="The payment page did not open." hasFailed>
      Nothing was charged. Try again, or write to <SupportLink end="." />
    </Notice>
  );
}

const BUTTONS: Record<UpsellPlan, string> = {
  monthly15: 'Get 15% Off – Monthly',
  annual25: 'Go Annual – Save 25%',
};

/**
 * Calculates a plan's cost line by line, so that the two plans can be compared. Amounts are to the
 * penny.
 */
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
