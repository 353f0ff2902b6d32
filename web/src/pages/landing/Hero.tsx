import page from '../../site/page.module.css';
import type { ShownOffer } from '../../site/shown-offer.ts';
import { useNow } from '../../site/use-now.ts';
import { siteSettings } from '../../site-settings.ts';
import { SubscribeButton } from '../../subscribe/SubscribeButton.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { OutwardIcon } from '../../ui/icons.tsx';
import { DATELINE, HERO } from './copy.ts';
import { HeroFragment } from './HeroFragment.tsx';
import styles from './Hero.module.css';

/** The offer, its price and the first rows of an issue. */
export function Hero({ offer }: { offer: ShownOffer }) {
  const next = DATELINE.next(useNow());
  return (
    <>
      <div className={styles.dateline}>
        <div className={`${page.page} ${styles.datelineInner}`}>
          <strong className={styles.sample}>{DATELINE.sample}</strong>
          <span className={styles.leads}>{DATELINE.leads}</span>
          <span className={styles.next}>
            {next.label} <span className={styles.roomy}>{next.weekday}</span>
            {next.date}
            <span className={styles.roomy}>{next.time}</span>
          </span>
          <span className={styles.shortNext}>{next.short}</span>
          <span className={styles.price}>{DATELINE.price(offer)}</span>
          <strong className={styles.shortPrice}>{`${offer.price}/month`}</strong>
        </div>
      </div>
      <section className={`${page.page} ${styles.hero}`} aria-labelledby="headline">
        <h1 id="headline" className={styles.headline}>
          {HERO.headline.map((line) => (
            <span key={line}>{line} </span>
          ))}
        </h1>
        <div className={styles.pitch}>
          <p className={styles.text}>{HERO.text}</p>
          <div className={styles.actions}>
            <SubscribeButton from="top_sub" wide>
              {`Subscribe Now – ${offer.price}/mo`}
            </SubscribeButton>
            <ButtonLink
              look="line"
              wide
              href={siteSettings().sampleSiteUrl}
              target="_blank"
              rel="noopener"
            >
              Download Free Sample
              <OutwardIcon />
            </ButtonLink>
          </div>
          <p className={styles.terms}>{HERO.terms}</p>
        </div>
      </section>
      <HeroFragment />
    </>
  );
}
