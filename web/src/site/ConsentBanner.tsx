import { useEffect, useRef, useState } from 'react';
import { chooseConsent, consentToChange } from '../analytics/consent.ts';
import type { ConsentChoice } from '../analytics/consent.ts';
import { siteSettings } from '../site-settings.ts';
import { Button } from '../ui/Button.tsx';
import styles from './ConsentBanner.module.css';

/** Renders the cookie notice. Both answers look alike and take one click. */
export function ConsentBanner() {
  const { analyticsId, chatWidgetUrl, privacyUrl } = siteSettings();
  const purposes = [
    ...(analyticsId === null ? [] : ['measure visits']),
    ...(chatWidgetUrl === null ? [] : ['offer a live chat']),
  ];
  const section = useRef<HTMLElement>(null);
  // Moves the focus, and later returns it, only for a visitor who reopened the notice.
  const [chosen] = useState(consentToChange);
  const [opener] = useState(() => document.activeElement);
  useEffect(() => {
    if (chosen) section.current?.focus();
  }, [chosen]);
  const choose = (choice: ConsentChoice) => {
    chooseConsent(choice);
    if (chosen && opener instanceof HTMLElement) opener.focus({ preventScroll: true });
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- buttons' keys
    <section
      ref={section}
      tabIndex={-1}
      className={styles.banner}
      aria-labelledby="consent"
      onKeyDown={({ key }) => key === 'Escape' && chosen && choose(chosen)}
    >
      <div className={`page ${styles.inner}`}>
        <div className={`note ${styles.text}`}>
          <h2 id="consent" className="minor">
            Your choice.
          </h2>{' '}
          {chosen === 'declined' && 'You declined. '}
          {chosen === 'accepted' ? 'You accepted: we use' : 'If you accept, we use'} cookies and
          another company’s script to {purposes.join(' and ')}.
          {privacyUrl !== null && (
            <span>
              {' '}
              Read our <a href={privacyUrl}>privacy notice</a>.
            </span>
          )}
        </div>
        <div className={`actions ${styles.choices}`}>
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
