import type { MoneyAnswer } from '@site/schema/calls/money';
import { useId, useState } from 'react';
import { useApiData } from '../api/use-api-data.ts';
import { copyText } from '../elements/copy-text.ts';
import { LinkButton } from '../elements/LinkButton.tsx';
import { LoadState } from '../elements/LoadState.tsx';
import { describeParked } from './money-labels.ts';
import { MoneyItem, MoneyKind, StripeId } from './MoneyItem.tsx';
import { MoneyReview } from './MoneyReview.tsx';
import styles from './ParkedEvents.module.css';

type Parked = MoneyAnswer['parkedEvents'][number];
type ParkedEventsProps = { events: Parked[]; dashboardUrl: string; now: Date; onReviewed: () => Promise<void> };

/** Stripe's events that could not be applied, each with the reason and, on request, what Stripe sent. */
export function ParkedEvents({ events, ...rest }: ParkedEventsProps) {
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
        <ParkedItem key={event.id} event={event} {...rest} />
      ))}
    </MoneyKind>
  );
}

type ParkedItemProps = Omit<ParkedEventsProps, 'events'> & { event: Parked };

function ParkedItem({ event, dashboardUrl, now, onReviewed }: ParkedItemProps) {
  const [isOpen, setOpen] = useState(false);
  const bodyId = useId();
  return (
    <MoneyItem
      at={event.receivedAt}
      now={now}
      what={
        <>
          <strong>{event.type === 'unreadable' ? 'Unreadable' : event.type}</strong>{' '}
          {event.type === 'unreadable' ? (
            <StripeId>{event.id}</StripeId>
          ) : (
            <StripeId to={`${dashboardUrl}/events/${event.id}`}>{event.id}</StripeId>
          )}
        </>
      }
      more={describeParked(event)}
      acts={
        <>
          <LinkButton
            aria-expanded={isOpen}
            aria-controls={isOpen ? bodyId : undefined}
            aria-label={`${isOpen ? 'Hide' : 'Show'} what Stripe sent: ${event.id}`}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Hide what Stripe sent' : 'Show what Stripe sent'}
          </LinkButton>
          <MoneyReview kind="parked" id={event.id} name={event.id} onReviewed={onReviewed} />
        </>
      }
    >
      {isOpen && (
        <div id={bodyId} className={styles.sent}>
          <ParkedBody id={event.id} />
        </div>
      )}
    </MoneyItem>
  );
}

/** Loaded only on request: it may hold personal data, and who reads it is recorded. */
function ParkedBody({ id }: { id: string }) {
  const { data, fault } = useApiData(
    'GET /api/admin/money/parked/:id',
    { params: { id } },
    { revalidateIfStale: false },
  );
  if (!data) return <LoadState of="event" fault={fault} />;
  return (
    <>
      <textarea className={styles.body} readOnly rows={8} aria-label="What Stripe sent" value={data.rawBody} />
      <LinkButton onClick={() => void copyText(data.rawBody, 'The event, as Stripe sent it.')}>Copy</LinkButton>
    </>
  );
}
