import type { MoneyAnswer, ParkedEventAnswer } from '@site/schema/money';
import { useId, useState } from 'react';
import useSWR from 'swr';
import { createFetcher } from '../../../http.ts';
import { toasts } from '../../../ui/toast-store.ts';
import { describeFault, isSignedOut } from '../call-fault.ts';
import { LinkButton } from '../LinkButton.tsx';
import { describeParked } from './money-labels.ts';
import { MoneyItem, StripeId } from './MoneyItem.tsx';
import { MoneyKind } from './MoneyKind.tsx';
import { MoneyReview } from './MoneyReview.tsx';
import type { Review } from './MoneyReview.tsx';
import styles from './ParkedEvents.module.css';

type Parked = MoneyAnswer['parkedEvents'][number];
type ParkedEventsProps = { events: Parked[]; now: Date; review: Review; onSignedOut: () => void };

const fetchEvent = createFetcher<ParkedEventAnswer>();

/** Stripe's events that could not be applied, each with its reason and, on request, what Stripe sent. */
export function ParkedEvents({ events, ...rest }: ParkedEventsProps) {
  return (
    <MoneyKind
      title="Stripe events put aside"
      count={events.length}
      advice={
        <>
          They would fail again as they are. Put the cause right, then run <code>npm run stripe:replay</code>, or
          deliver the event again in Stripe’s dashboard under Developers, Events, “Resend”. An applied one leaves this
          list; mark one about which nothing is to be done.
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

function ParkedItem({ event, now, review, onSignedOut }: ParkedItemProps) {
  const [isOpen, setOpen] = useState(false);
  const bodyId = useId();
  return (
    <MoneyItem
      at={event.receivedAt}
      now={now}
      what={
        <>
          <strong>{event.type === 'unreadable' ? 'Not readable' : event.type}</strong> <StripeId>{event.id}</StripeId>
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
          <MoneyReview kind="parked" id={event.id} name={event.id} review={review} />
        </>
      }
    >
      {isOpen && (
        <div id={bodyId} className={styles.sent}>
          <ParkedBody id={event.id} onSignedOut={onSignedOut} />
        </div>
      )}
    </MoneyItem>
  );
}

/** Loaded only when it is asked for: it may hold whatever Stripe knows of a person, and who read it is put on record. */
function ParkedBody({ id, onSignedOut }: { id: string; onSignedOut: () => void }) {
  const { data, error } = useSWR<ParkedEventAnswer, unknown>(
    `/api/admin/money/parked/${encodeURIComponent(id)}`,
    fetchEvent,
    {
      onError: (failure: unknown) => {
        if (isSignedOut(failure)) return onSignedOut();
        console.error('The event could not be loaded', failure);
      },
    },
  );
  if (error !== undefined) return <p role="alert">{describeFault(error)}</p>;
  if (!data) return <output>Loading event...</output>;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(data.rawBody);
      toasts.add({ title: 'Copied', description: 'The event, as Stripe sent it.' });
    } catch (failure) {
      console.error('The event could not be copied', failure);
      toasts.add({ title: 'Copy failed', description: 'The browser did not allow it.', tone: 'destructive' });
    }
  };
  return (
    <>
      <textarea className={styles.body} readOnly rows={8} aria-label="What Stripe sent" value={data.rawBody} />
      <LinkButton onClick={() => void copy()}>Copy</LinkButton>
    </>
  );
}
