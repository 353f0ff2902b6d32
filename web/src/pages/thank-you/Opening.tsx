import { OFFER } from '@site/schema/offer';
import { useOnline } from '../../site/use-online.ts';
import { SupportLink } from '../../site/SupportLink.tsx';
import { Button, ButtonLink } from '../../ui/Button.tsx';
import type { CheckoutView } from './use-checkout-state.ts';
import styles from './ThankYouPage.module.css';

type OpeningProps = {
  view: CheckoutView;
  isAsking: boolean;
  sessionId: string | null;
  onAskAgain: () => void;
};
type CheckAgainProps = Pick<OpeningProps, 'sessionId' | 'isAsking' | 'onAskAgain'> & {
  className: string | undefined;
};

/** The first sentence: the checkout's state at Stripe so far. */
export function Opening({ view, ...asking }: OpeningProps) {
  const isOnline = useOnline();
  return (
    <div aria-live="polite">
      <Words view={view} isOnline={isOnline} />
      {view.state === 'unfinished' && (
        <ButtonLink href={view.url ?? '/subscribe'}>
          {view.url === null ? 'Start again' : 'Continue the checkout'}
        </ButtonLink>
      )}
      {(view.state === 'processing' || view.state === 'overdue' || view.state === 'unreachable') &&
        isOnline && (
          <CheckAgain
            className={view.state === 'processing' ? styles.plain : undefined}
            {...asking}
          />
        )}
    </div>
  );
}

/** Asks Stripe again. Without scripts, loads the page again. */
function CheckAgain({ className, sessionId, isAsking, onAskAgain }: CheckAgainProps) {
  return (
    <form
      className={className}
      onSubmit={(event) => {
        event.preventDefault();
        onAskAgain();
      }}
    >
      <input type="hidden" name="session_id" value={sessionId ?? ''} />
      <Button type="submit" look="line" pending={isAsking} pendingLabel="Checking...">
        Check again
      </Button>
    </form>
  );
}

function Words({ view, isOnline }: Pick<OpeningProps, 'view'> & { isOnline: boolean }) {
  switch (view.state) {
    case 'confirmed':
      return (
        <p>
          {view.receipt.firstChargeAt === null
            ? 'Your subscription has started.'
            : 'Your trial has started.'}{' '}
          This page is your receipt: what you bought, and when you first pay.
        </p>
      );
    case 'processing':
      return (
        <p>
          Stripe is still confirming your payment details.{' '}
          <span className={styles.scripted}>
            Your receipt will appear here automatically, usually within seconds.
          </span>
        </p>
      );
    case 'overdue':
      return (
        <p>
          Stripe has not confirmed yet. Nothing is lost: your receipt also comes by email, and you
          can open this page again later.
        </p>
      );
    case 'unreachable':
      return (
        <p>
          {isOnline
            ? 'We cannot get your receipt right now. If you paid, you have your subscription, ' +
              'and Stripe has emailed your receipt.'
            : 'You are offline. Your receipt appears here when you are back online.'}
        </p>
      );
    case 'unfinished':
      return (
        <p>
          Nothing was charged.{' '}
          {view.isExpired && 'The checkout has expired; start again when you like. '}
          {view.url === null &&
            !view.isExpired &&
            'Continue it in the browser that opened it, or start again. '}
          A question? Write to <SupportLink>support</SupportLink>.
        </p>
      );
    case 'not-found':
      return (
        <p>
          If you paid, Stripe has sent you a receipt. Write to <SupportLink /> and we will look it
          up.
        </p>
      );
    case 'none':
      return (
        <p>
          Here is what a subscription to {OFFER.productName} brings. If you have subscribed, Stripe
          has emailed your receipt.
        </p>
      );
  }
}
