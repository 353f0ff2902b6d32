import { SupportLink } from '../site/SupportLink.tsx';
import { siteSettings } from '../site-settings.ts';
import styles from './SubscribeDialog.module.css';

/** Tells someone who already has a subscription where to manage it. */
export function Refusal({ children }: { children: string }) {
  const { portalLoginUrl } = siteSettings();
  return (
    <div className={styles.refusal} aria-live="polite">
      <p>{children}</p>
      <p>
        {portalLoginUrl ? (
          <a href={portalLoginUrl}>Manage subscription</a>
        ) : (
          <>
            Write to <SupportLink />.
          </>
        )}
      </p>
    </div>
  );
}
