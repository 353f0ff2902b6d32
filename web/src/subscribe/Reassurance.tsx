import { SupportLink } from '../site/SupportLink.tsx';
import { siteSettings } from '../site-settings.ts';
import { Notice } from './Notice.tsx';

/** Why the visitor is at the form again: the checkout did not open, or they came back from Stripe without paying. */
export type Setback = 'returned' | FailedCheckout;

/** What became of the details when the checkout did not open. */
const DETAILS = {
  stored: 'Nothing was charged. We have your details.',
  kept: 'Nothing was charged. Your details are kept in this browser and sent when the connection is back.',
  'not-sent': 'Nothing was charged. Your details were not sent, and are still in the form.',
};
export type FailedCheckout = keyof typeof DETAILS;

/** The one message for a visitor who sends the form offline. */
export const KEPT_OFFLINE = DETAILS.kept;

/** Stays beside the button after a checkout that came to nothing. */
export function Reassurance({ setback }: { setback: Setback }) {
  if (setback === 'returned') {
    return (
      <Notice title="You came back from Stripe without paying.">
        <p>
          Nothing was charged, and your details are still here. Questions? <SupportLink>Contact support</SupportLink>.
        </p>
      </Notice>
    );
  }
  return (
    <Notice title="The checkout did not open." isFault>
      <p>
        {DETAILS[setback]} If it happens again, <SupportLink>contact support</SupportLink>.
      </p>
    </Notice>
  );
}

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
