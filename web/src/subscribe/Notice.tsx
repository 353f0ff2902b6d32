import type { ReactNode } from 'react';
import { SupportLink } from '../site/SupportLink.tsx';
import { siteSettings } from '../site-settings.ts';
import { classNames } from '../ui/class-names.ts';
import styles from './Notice.module.css';

/** The state of the sent details if the checkout did not open. */
const DETAILS = {
  stored: 'We have the details that you sent.',
  kept: 'What you submitted is kept in this browser and sent when our server answers again.',
  'not-sent': 'Your details were not sent, and are still in the form.',
};
const OFFLINE = {
  stored: 'We have the details that you sent. Continue when you are back online.',
  kept: 'What you submitted is kept in this browser and sent when the connection is back.',
  'not-sent':
    'Your details were not sent, and are still in the form. Continue when you are back online.',
};
export type FailedCheckout = keyof typeof DETAILS;
/** Too many attempts came from this IP address. `wait`: when to try again, in words. */
export type TooMany = { wait: string };
/** The reasons why the visitor is at the form again. */
export type Setback = 'returned' | 'subscriber' | FailedCheckout | TooMany;

export const isFailedCheckout = (setback: Setback | null): setback is FailedCheckout =>
  typeof setback === 'string' && Object.hasOwn(DETAILS, setback);

/** Writes the single message for a visitor without a connection. */
export const writeOffline = (setback: Setback | null) =>
  isFailedCheckout(setback)
    ? `You are offline. Nothing was charged. ${OFFLINE[setback]}`
    : 'You are offline. Continue once you are back.';

type NoticeProps = { title: string; hasFailed?: boolean; children: ReactNode };

/** Shows beside the button why the visitor is still at the form. */
export function Notice({ title, hasFailed = false, children }: NoticeProps) {
  return (
    <div className={classNames(styles.notice, hasFailed && styles.failed)}>
      <p>
        <strong>{title}</strong>
      </p>
      <p>{children}</p>
    </div>
  );
}

export function SetbackNotice({ setback }: { setback: Setback }) {
  if (setback === 'returned') {
    return (
      <Notice title="You came back from Stripe without paying.">
        Nothing was charged. Questions? <SupportLink>Contact support</SupportLink>.
      </Notice>
    );
  }
  if (setback === 'subscriber') return <SubscriberNotice />;
  if (typeof setback === 'object') {
    return (
      <Notice title="Too many requests." hasFailed>
        {setback.wait} Nothing was charged, and your details are still in the form.
      </Notice>
    );
  }
  return (
    <Notice title="The payment page did not open." hasFailed>
      Nothing was charged. {DETAILS[setback]} Try again, or write to <SupportLink end="." />
    </Notice>
  );
}

/** Shows a subscriber where to manage their subscription. */
export function SubscriberNotice() {
  const { portalLoginUrl } = siteSettings();
  return (
    <Notice title="This address already has a subscription.">
      To see, change or cancel it,{' '}
      {portalLoginUrl ? (
        <>
          open <a href={portalLoginUrl}>Manage subscription</a>.
        </>
      ) : (
        <>
          write to <SupportLink end="." />
        </>
      )}
    </Notice>
  );
}
