import { useEffect, useRef, useState } from 'react';
import { chooseConsent, consentToChange, onConsentChange } from '../analytics/consent.ts';
import type { ConsentChoice } from '../analytics/consent.ts';
import { siteSettings } from '../site-settings.ts';
import { Button } from '../ui/Button.tsx';
import styles from './ConsentBanner.module.css';
import page from './page.module.css';

/** A press of the pointer so soon after the notice was reopened chooses nothing. */
const EARLY_MS = 700;

/** The cookie notice. Both answers look alike and take one click. */
export function ConsentBanner() {
  const { analyticsId, chatWidgetUrl, privacyUrl } = siteSettings();
  const purposes = [
    ...(analyticsId === null ? [] : ['measure visits']),
    ...(chatWidgetUrl === null ? [] : ['offer a live chat']),
  ];
  const section = useRef<HTMLElement>(null);
  // Only a visitor who reopened the notice gets the focus moved. Afterwards it is back where it was.
  const [chosen] = useState(consentToChange);
  const before = useRef<EventTarget>(null);
  const [openedAt] = useState(() => performance.now());
  useEffect(() => {
    if (chosen) section.current?.focus();
    // Asked for once more while it is open.
    return onConsentChange(() => section.current?.focus());
  }, [chosen]);
  const choose = (choice: ConsentChoice) => {
    chooseConsent(choice);
    if (before.current instanceof HTMLElement) before.current.focus({ preventScroll: true });
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- hears of its buttons' focus and presses
    <section
      ref={section}
      tabIndex={-1}
      className={styles.banner}
      aria-labelledby="consent"
      onKeyDown={({ key }) => key === 'Escape' && chosen && choose(chosen)}
      onFocus={({ relatedTarget }) => (before.current ??= relatedTarget)}
      // A second press was meant for what reopened the notice, which opens under the pointer.
      onClickCapture={(event) => {
        const isEarly = event.detail > 0 && event.timeStamp - openedAt < EARLY_MS;
        if (!chosen || !(isEarly || event.detail > 1)) return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      <div className={`${page.page} ${styles.inner}`}>
        <div className={styles.text}>
          <h2 id="consent">Your choice.</h2> {chosen === 'declined' && 'You declined. '}
          {chosen === 'accepted' ? 'You accepted: we use' : 'If you accept, we use'} cookies and another company’s
          script to {purposes.join(' and ')}.
          {privacyUrl !== null && (
            <>
              {' '}
              Read our <a href={privacyUrl}>privacy notice</a>.
            </>
          )}
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
