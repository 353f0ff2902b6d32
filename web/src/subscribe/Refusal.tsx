import { SupportLink } from '../site/SupportLink.tsx';
import { siteSettings } from '../site-settings.ts';
import { Notice } from './Notice.tsx';

/** Tells someone who already has a subscription where to manage it. */
export function Refusal() {
  const { portalLoginUrl } = siteSettings();
  return (
    <Notice title="This address already has a subscription.">
      <p>
        To see, change or cancel it,{' '}
        {portalLoginUrl ? (
          <>
            open <a href={portalLoginUrl}>Manage subscription</a>
          </>
        ) : (
          <>
            write to <SupportLink />
          </>
        )}
        .
      </p>
    </Notice>
  );
}
