import { SupportLink } from '../site/SupportLink.tsx';
import { Notice } from './Notice.tsx';

/** Why the visitor is at the form again: the checkout did not open, or they came back from Stripe without paying. */
export type Setback = 'failed' | 'returned';

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
        Nothing was charged. Your details are saved. If it happens again, <SupportLink>contact support</SupportLink>.
      </p>
    </Notice>
  );
}
