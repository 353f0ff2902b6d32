import { useEffect, useRef, useState } from 'react';
import { chooseConsent, consentToChange, onConsentChange } from '../analytics/consent.ts';
import type { ConsentChoice } from '../analytics/consent.ts';
import { siteSettings } from '../site-settings.ts';
import { Button } from '../ui/Button.tsx';
import { findHeading } from '../ui/find-heading.ts';
import { swallowSecondPress } from '../ui/second-press.ts';
import styles from './ConsentBanner.module.css';
import page from './page.module.css';

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
  useEffect(() => {
    if (chosen) {
      // The place of the button that opened it, before the focus scrolls the page.
      swallowSecondPress(section.current, document.activeElement?.getBoundingClientRect());
      section.current?.focus();
    }
    // Asked for once more while it is open.
    return onConsentChange(() => section.current?.focus());
  }, [chosen]);
  const choose = (choice: ConsentChoice, byKeyboard: boolean) => {
    chooseConsent(choice);
    // A keyboard that came from nowhere goes on at the page's heading.
    const next = before.current ?? (byKeyboard ? findHeading() : null);
    if (next instanceof HTMLElement) next.focus({ preventScroll: true });
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- hears of its buttons' focus and presses
    <section
      ref={section}
      tabIndex={-1}
      className={styles.banner}
      aria-labelledby="consent"
      onKeyDown={({ key }) => key === 'Escape' && chosen && choose(chosen, true)}
      onFocus={({ relatedTarget }) => {
        const isWithin = relatedTarget instanceof Node && section.current?.contains(relatedTarget);
        if (!isWithin) before.current = relatedTarget;
      }}
    >
      <div className={`${page.page} ${styles.inner}`}>
        <div className={styles.text}>
          <h2 id="consent">Your choice.</h2> {chosen === 'declined' && 'You declined. '}
          {chosen === 'accepted' ? 'You accepted: we use' : 'If you accept, we use'} cookies and
          another company’s script to {purposes.join(' and ')}.
          {privacyUrl !== null && (
            <span>
              {' '}
              Read our <a href={privacyUrl}>privacy notice</a>.
            </span>
          )}
        </div>
        <div className={styles.choices}>
          <Button look="line" onClick={({ detail }) => choose('declined', detail === 0)}>
            Decline
          </Button>
          <Button look="line" onClick={({ detail }) => choose('accepted', detail === 0)}>
            Accept
          </Button>
        </div>
      </div>
    </section>
  );
}
