import { useLayoutEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { showWithButton } from '../site/show-focused.ts';
import { SupportLink } from '../site/SupportLink.tsx';
import { siteSettings } from '../site-settings.ts';
import { classNames } from '../ui/class-names.ts';
import styles from './Reassurance.module.css';

/**
 * Why the visitor is at the form again: they came back from Stripe without paying, the address has a subscription, or
 * the checkout did not open.
 */
export type Setback = 'returned' | 'subscriber' | FailedCheckout | TooMany;

/** Somebody at this address has tried too often: when to try again, in words. */
export type TooMany = { wait: string };

/** What became of the details that were sent when the checkout did not open. Others may be in the form by now. */
const DETAILS = {
  stored: 'We have the details that you sent.',
  kept: 'What you submitted is kept in this browser and sent when our server answers again.',
  'not-sent': 'Your details were not sent, and are still in the form.',
};
export type FailedCheckout = keyof typeof DETAILS;
const isTooMany = (setback: Setback | null): setback is TooMany =>
  typeof setback === 'object' && setback !== null;
/** Continuing would not help, with or without a connection. */
export const staysOffline = (setback: Setback | null) =>
  setback === 'subscriber' || isTooMany(setback);
export const isFailedCheckout = (setback: Setback | null): setback is FailedCheckout =>
  typeof setback === 'string' && Object.hasOwn(DETAILS, setback);

const OFFLINE = {
  stored: 'We have the details that you sent. Continue when you are back online.',
  kept: 'What you submitted is kept in this browser and sent when the connection is back.',
  'not-sent':
    'Your details were not sent, and are still in the form. Continue when you are back online.',
};

/** Details that were kept are stored once `main.tsx` has sent them. `isSaved`: it has not sent them yet. */
export const byNow = <S extends Setback | null>(setback: S, isSaved: boolean) =>
  setback === 'kept' && !isSaved ? 'stored' : setback;

/** What a visitor reads who is offline: of the details of a checkout that did not open, and before a press. */
export function describeOffline(setback: Setback | null, isStill: boolean): string {
  const offline = `You are ${isStill ? 'still ' : ''}offline.`;
  if (isFailedCheckout(setback)) return `${offline} Nothing was charged. ${OFFLINE[setback]}`;
  return staysOffline(setback) ? offline : `${offline} Continue once you are back.`;
}

/** And when they are back online. */
export const describeOnline = (details: FailedCheckout) =>
  details === 'stored'
    ? 'You are back online, and we have the details that you sent. Continue to checkout.'
    : 'You are back online. Your details are not sent yet: continue to checkout to send them.';

type ReassuranceProps = { setback: Setback; isAgain: boolean; isAnswer: boolean };

/** Stays beside the button after a checkout that came to nothing. */
export function Reassurance({ setback, isAgain, isAnswer }: ReassuranceProps) {
  if (setback === 'returned') {
    return (
      <Notice title="You came back from Stripe without paying." isAnswer={isAnswer}>
        <p>
          Nothing was charged. Questions? <SupportLink>Contact support</SupportLink>.
        </p>
      </Notice>
    );
  }
  if (setback === 'subscriber') return <Refusal isAnswer={isAnswer} />;
  if (typeof setback === 'object') {
    return (
      <Notice title="Too many requests." hasFailed stays>
        <p>{setback.wait} Nothing was charged, and your details are still in the form.</p>
      </Notice>
    );
  }
  return (
    <Notice title={`The payment page ${isAgain ? 'still ' : ''}did not open.`} hasFailed>
      <p>
        Nothing was charged. {DETAILS[setback]} Try again, or write to <SupportLink end="." />
      </p>
    </Notice>
  );
}

/** Tells someone who already has a subscription where to manage it. */
export function Refusal({ isAnswer = true }: { isAnswer?: boolean }) {
  const { portalLoginUrl } = siteSettings();
  return (
    <Notice title="This address already has a subscription." stays isAnswer={isAnswer}>
      <p>
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
      </p>
    </Notice>
  );
}

type NoticeProps = {
  title: string;
  hasFailed?: boolean;
  /** It is as true offline. */
  stays?: boolean;
  /** It answers a press. Before one, it takes no focus from a field that somebody types in. */
  isAnswer?: boolean;
  children: ReactNode;
};

/**
 * Says beside the button why the visitor is still at the form. It takes the focus, so that it is seen and read first, and
 * passes it to the button when it goes.
 */
export function Notice({
  title,
  hasFailed = false,
  stays = false,
  isAnswer = true,
  children,
}: NoticeProps) {
  const notice = useRef<HTMLDivElement>(null);
  const [isOfPress] = useState(isAnswer);
  useLayoutEffect(() => {
    const element = notice.current;
    const button = element?.closest('form')?.querySelector<HTMLElement>('[type="submit"]');
    const isTyping = document.activeElement instanceof HTMLInputElement;
    // Offline, another message is shown instead.
    if (navigator.onLine && (isOfPress || !isTyping)) {
      element?.focus({ preventScroll: true });
      showWithButton(element);
    }
    return () => {
      if (element?.contains(document.activeElement)) button?.focus({ preventScroll: true });
    };
  }, [isOfPress]);
  return (
    <div
      ref={notice}
      className={classNames(styles.notice, hasFailed && styles.failed, stays && styles.stays)}
      tabIndex={-1}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- without scripts, on a page that is the answer to a press
      autoFocus
    >
      <p>
        <strong>{title}</strong>
      </p>
      {children}
    </div>
  );
}
