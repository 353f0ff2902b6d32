import type { MoneyAnswer, ParkedEventAnswer } from '@site/schema/money';
import { useId, useState } from 'react';
import useSWR from 'swr';
import { createFetcher } from '../../http.ts';
import { toasts } from '../../ui/toast-store.ts';
import { describeFault, isSignedOut } from './call-fault.ts';
import { LinkButton } from './LinkButton.tsx';
import { formatFully, formatMoment } from './london-time.ts';
import styles from './Money.module.css';
import { describeParked } from './money-words.ts';

type Parked = MoneyAnswer['parkedEvents'][number];
type ParkedEventsProps = { events: Parked[]; now: Date; onSignedOut: () => void };

const fetchEvent = createFetcher<ParkedEventAnswer>();

/** Stripe's events that could not be applied, each with its reason and, on request, what Stripe sent. */
export function ParkedEvents({ events, now, onSignedOut }: ParkedEventsProps) {
  if (events.length === 0) return null;
  return (
    <section className={styles.kind} aria-label="Stripe events put aside">
      <h3>Stripe events put aside</h3>
      <p className={styles.quiet}>
        They would fail again as they are. Put the cause right, then run <code>npm run stripe:replay</code>, or deliver
        the event again in Stripe’s dashboard under Developers, Events, “Resend”. An applied one leaves this list.
      </p>
      <ul className={styles.items}>
        {events.map((event) => (
          <ParkedItem key={event.id} event={event} now={now} onSignedOut={onSignedOut} />
        ))}
      </ul>
    </section>
  );
}

function ParkedItem({ event, now, onSignedOut }: { event: Parked; now: Date; onSignedOut: () => void }) {
  const [isOpen, setOpen] = useState(false);
  const bodyId = useId();
  return (
    <li className={styles.item}>
      <span className={styles.what}>
        <strong>{event.type === 'unreadable' ? 'Not readable' : event.type}</strong>{' '}
        <code className={styles.id}>{event.id}</code>
      </span>
      <span className={styles.more}>{describeParked(event)}</span>
      <time className={styles.when} dateTime={event.receivedAt} title={formatFully(new Date(event.receivedAt))}>
        {formatMoment(new Date(event.receivedAt), now)}
      </time>
      <LinkButton
        className={styles.act}
        aria-expanded={isOpen}
        aria-controls={isOpen ? bodyId : undefined}
        aria-label={`${isOpen ? 'Hide' : 'Show'} what Stripe sent: ${event.id}`}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? 'Hide what Stripe sent' : 'Show what Stripe sent'}
      </LinkButton>
      {isOpen && (
        <div id={bodyId} className={styles.sent}>
          <ParkedBody id={event.id} onSignedOut={onSignedOut} />
        </div>
      )}
    </li>
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
