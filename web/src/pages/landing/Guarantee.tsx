import { OFFER } from '@site/schema/offer';
import { GUARANTEE } from './copy.ts';
import { Section } from './Section.tsx';
import styles from './Guarantee.module.css';

/** The guarantee: trying the newsletter costs nothing. */
export function Guarantee() {
  return (
    <Section margin={GUARANTEE.margin} heading={GUARANTEE.heading}>
      <div className={styles.body}>
        <p>{GUARANTEE.text}</p>
        <Stamp />
      </div>
    </Section>
  );
}

function Stamp() {
  return (
    <svg className={styles.stamp} viewBox="0 0 228 228" role="img" aria-label={GUARANTEE.stamp}>
      <defs>
        <path id="stamp-above" d="M30 114a84 84 0 0 1 168 0" />
        <path id="stamp-below" d="M20 114a94 94 0 0 0 188 0" />
      </defs>
      <g transform="rotate(-8 114 114)" textAnchor="middle">
        <circle cx="114" cy="114" r="112" className={styles.edge} />
        <circle cx="114" cy="114" r="105" />
        <circle cx="114" cy="114" r="76" />
        <text className={styles.round}>
          <textPath href="#stamp-above" startOffset="50%">
            MONEY-BACK GUARANTEE
          </textPath>
        </text>
        <text className={styles.round}>
          <textPath href="#stamp-below" startOffset="50%">
            {OFFER.productName.toUpperCase()}
          </textPath>
        </text>
        <text x="114" y="132" className={styles.figure}>
          {OFFER.guaranteeDays}
        </text>
        <text x="116" y="160" className={styles.days}>
          DAYS
        </text>
      </g>
    </svg>
  );
}
