import type { MoneyAnswer } from '@site/schema/calls/money';
import { formatCount } from '../elements/format-count.ts';
import { Moment } from '../elements/Moment.tsx';

/** How well Stripe's events arrive. */
export function EventHealth({ events, now }: { events: MoneyAnswer['events']; now: Date }) {
  const { lastAt, undelivered } = events;
  return (
    <p>
      {lastAt === null ? (
        'No event from Stripe yet.'
      ) : (
        <>
          Last event from Stripe: <Moment at={lastAt} now={now} />.
        </>
      )}
      {undelivered > 0 && (
        <strong>
          {' '}
          {undelivered === 1 ? '1 event was' : `${formatCount(undelivered)} events were`} not delivered and had to be
          fetched. Compare STRIPE_WEBHOOK_SECRET with the endpoint’s secret in Stripe.
        </strong>
      )}
    </p>
  );
}
