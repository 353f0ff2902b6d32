import type { MoneyAnswer } from '@site/schema/calls/money';
import { describeParked } from './money-labels.ts';
import { MoneyItem, MoneyKind, StripeId } from './MoneyItem.tsx';
import { MoneyReview } from './MoneyReview.tsx';

type Parked = MoneyAnswer['parkedEvents'][number];
type ParkedEventsProps = { events: Parked[]; dashboardUrl: string; now: Date; onReviewed: () => Promise<void> };

/** Stripe's events that could not be applied, each with the reason. */
export function ParkedEvents({ events, dashboardUrl, now, onReviewed }: ParkedEventsProps) {
  return (
    <MoneyKind
      title="Parked Stripe events"
      count={events.length}
      advice={
        <>
          These events could not be applied. Fix the cause, then run <code>npm run stripe:replay</code> or resend the
          event in Stripe’s dashboard under Developers, Events. Once applied, it leaves this list. If there is nothing
          to fix, mark it as reviewed.
        </>
      }
    >
      {events.map((event) => (
        <MoneyItem
          key={event.id}
          at={event.receivedAt}
          now={now}
          what={
            <>
              <strong>{event.type === 'unreadable' ? 'Unreadable' : event.type}</strong>{' '}
              <StripeId {...(event.type !== 'unreadable' && { to: `${dashboardUrl}/events/${event.id}` })}>
                {event.id}
              </StripeId>
            </>
          }
          more={describeParked(event)}
          acts={<MoneyReview kind="parked" id={event.id} name={event.id} onReviewed={onReviewed} />}
        />
      ))}
    </MoneyKind>
  );
}
