import { OFFER } from '@site/schema/offer';
import { IconFrame } from '../../ui/IconFrame.tsx';
import { TickIcon } from '../../ui/icons.tsx';
import sheet from '../../ui/Sheet.module.css';
import { HERO } from './copy.ts';
import { CALL_TIMES, calledOn, formatShortDate, SAMPLE_LEADS } from './sample-issue.ts';
import { StatusShape } from './StatusShape.tsx';
import styles from './HeroFragment.module.css';

const entries = SAMPLE_LEADS.slice(0, CALL_TIMES.length);
/** The year, without which the days would seem to be this year's. */
const calledIn = calledOn.getUTCFullYear();

/**
 * Draws the issue's first rows, from the margin to beyond the right edge. One image with one label,
 * because the table itself follows below.
 */
export function HeroFragment() {
  return (
    <figure aria-label={HERO.drawing} className={styles.bleed}>
      <div aria-hidden="true" className={`${sheet.sheet} ${styles.ledger}`}>
        <div className={`${styles.row} ${styles.heads}`}>
          <span className={styles.business}>Business</span>
          <span className={styles.sector}>Sector</span>
          <span className={styles.contact}>Deal Contact</span>
          <span className={styles.status}>Status</span>
          <span className={styles.called}>We rang, {calledIn}</span>
        </div>
        {entries.map(({ business, sector, contact, role, status }, index) => (
          <div key={business} className={styles.row}>
            <strong className={styles.business}>{business}</strong>
            <span className={styles.sector}>{sector}</span>
            <span className={styles.contact}>
              {contact}, {role.toLowerCase()}
            </span>
            <span className={styles.status}>
              <IconFrame width={10}>
                <StatusShape status={status} />
              </IconFrame>
              {status}
            </span>
            <span className={styles.called}>
              <TickIcon />
              {formatShortDate(calledOn)}, {CALL_TIMES[index]}
            </span>
          </div>
        ))}
        <div className={styles.stamp}>
          RUNG AND CONFIRMED
          <strong>VERIFIED</strong>
          {formatShortDate(calledOn).toUpperCase()} {calledIn} · ISSUE #{OFFER.sampleIssue.number}
        </div>
      </div>
    </figure>
  );
}
