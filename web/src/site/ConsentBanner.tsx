import { useEffect, useRef, useState } from 'react';
import { chooseConsent, isConsentAskedForAgain } from '../analytics/consent.ts';
import type { ConsentChoice } from '../analytics/consent.ts';
import { siteSettings } from '../site-settings.ts';
import { Button } from '../ui/Button.tsx';
import styles from './ConsentBanner.module.css';
import page from './page.module.css';

/** Asks once before anything is measured or fetched from elsewhere. Both answers look alike and take one press. */
export function ConsentBanner() {
  const { analyticsId, chatWidgetUrl } = siteSettings();
  const purposes = [
    ...(analyticsId === null ? [] : ['count visits and see which advertisement brought them']),
    ...(chatWidgetUrl === null ? [] : ['offer a live chat']),
  ];
  const section = useRef<HTMLElement>(null);
  // Whoever asked for it is led there and back; nobody else is taken from what they read.
  const [opener] = useState(() => (isConsentAskedForAgain() ? document.activeElement : null));
  useEffect(() => {
    if (opener) section.current?.focus();
  }, [opener]);
  const choose = (choice: ConsentChoice) => {
    chooseConsent(choice);
    if (opener instanceof HTMLElement) opener.focus();
  };
  return (
    <section ref={section} tabIndex={-1} className={styles.banner} aria-labelledby="consent">
      <div className={`${page.page} ${styles.inner}`}>
        <div className={styles.text}>
          <h2 id="consent">Your choice.</h2> We would like to {purposes.join(' and ')}. That keeps cookies on your
          device and loads another company’s script. Nothing of it happens unless you accept, and the site works the
          same either way.
        </div>
        <div className={styles.choices}>
          <Button look="line" onClick={() => choose('declined')}>
            Decline
          </Button>
          <Button look="line" onClick={() => choose('accepted')}>
            Accept
          </Button>
        </div>
      </div>
    </section>
  );
}
