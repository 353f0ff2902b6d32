import { shownOffer } from '../../site/shown-offer.ts';
import { TickIcon } from '../../ui/icons.tsx';
import styles from './ThankYouPage.module.css';

const BENEFITS = [
  'Verified Leads',
  'Direct Acquisition Contact',
  'Sector Tags',
  'Deal Insights',
  'CSV Export',
  'Outreach Templates',
  'Access to past issues',
];

export function Benefits() {
  const benefits = shownOffer().isLaunch ? [...BENEFITS, 'Launch price locked for life'] : BENEFITS;
  return (
    <section className={styles.benefits} aria-labelledby="benefits">
      <h2 id="benefits">Premium benefits</h2>
      <ul>
        {benefits.map((benefit) => (
          <li key={benefit}>
            <TickIcon />
            {benefit}
          </li>
        ))}
      </ul>
    </section>
  );
}
