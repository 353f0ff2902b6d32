import { shownRise } from '../../site/shown-offer.ts';
import type { ShownOffer } from '../../site/shown-offer.ts';
import { useNow } from '../../site/use-now.ts';
import { siteSettings } from '../../site-settings.ts';
import { SubscribeButton } from '../../subscribe/SubscribeButton.tsx';
import { ButtonLink } from '../../ui/Button.tsx';
import { OutwardIcon } from '../../ui/icons.tsx';
import { Unbroken } from '../../ui/Unbroken.tsx';
import { DATELINE, HERO } from './copy.ts';
import { HeroFragment } from './HeroFragment.tsx';
import styles from './Hero.module.css';

/** The offer, its price and the first rows of an issue. */
export function Hero({ offer }: { offer: ShownOffer }) {
  const now = useNow();
  const next = DATELINE.next(now);
  const subscribe = `Subscribe Now – ${offer.price}/mo`;
  return (
    <>
      <div className={`note ${styles.dateline}`}>
        <div className="page">
          <strong>{DATELINE.sample}</strong>
          <span className={styles.long}>{DATELINE.leads}</span>
          <span className={styles.long}>{next.long}</span>
          <span className={styles.short}>{next.short}</span>
          <span className={styles.long}>{DATELINE.price(offer, shownRise(now))}</span>
          <strong className={styles.short}>{`${offer.price}/month`}</strong>
        </div>
      </div>
      <section className={`page ${styles.hero}`} aria-labelledby="headline">
        <h1 id="headline" className={styles.headline}>
          {HERO.headline.map((line) => (
            <span key={line}>{line} </span>
          ))}
        </h1>
        <div>
          <p className={styles.text}>{HERO.text}</p>
          <div className={`actions ${styles.actions}`}>
            <SubscribeButton from="top_sub">{subscribe}</SubscribeButton>
            <ButtonLink
              look="line"
              href={siteSettings().sampleSiteUrl}
              target="_blank"
              rel="noopener"
            >
              Download Free Sample
              <OutwardIcon />
            </ButtonLink>
          </div>
          <p className="note">
            <Unbroken text={HERO.terms} />
          </p>
        </div>
      </section>
      <HeroFragment />
    </>
  );
}
