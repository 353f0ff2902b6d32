import type { DeliveryAnswer, SyncHealthAnswer } from '@site/schema/calls/sync';
import { RECORDED_KINDS } from '@site/schema/sync-state';
import type { RecordedKind } from '@site/schema/sync-state';
import { countOf } from '../shared/format-count.ts';
import { SectionHead } from '../shared/SectionHead.tsx';
import { describeDuration, formatMoment, formatTime, isSameDay } from '../shared/london-time.ts';
import { StateRows } from './StateRows.tsx';

const NAMES: Record<RecordedKind, string> = {
  'no-worker': 'No worker',
  paused: 'Sync paused',
  outage: 'Beehiiv failing',
  stalled: 'Nothing moved',
  'stripe-unavailable': 'Stripe failing',
};

const STRIPE: RecordedKind = 'stripe-unavailable';

const isRecorded = (kind: string) => RECORDED_KINDS.some((each) => each === kind);

type OutagesProps = { outages: DeliveryAnswer['outages']; health: SyncHealthAnswer; now: Date };

/** When no lead was sent, or nobody could subscribe, until it was over: how many waited and for how long, the latest first. */
export function Outages({ outages, health, now }: OutagesProps) {
  return (
    <section aria-labelledby="outages">
      <SectionHead id="outages" title="Outages" aside={outages.length > 0 && 'No lead was lost.'} />
      {outages.length === 0 ? (
        <p>
          {health.conditions.some(({ kind }) => isRecorded(kind))
            ? 'None before this one.'
            : 'No outage is on record yet.'}
        </p>
      ) : (
        <StateRows
          name="Outages"
          rows={outages.map(({ kind, since, until, waited }) => ({
            tone: 'past' as const,
            name: NAMES[kind],
            text: `${describeLength(new Date(since), new Date(until))}, ${kind === STRIPE ? 'nobody could subscribe' : `${countOf(waited, 'lead')} waited`}`,
            at: describeSpan(new Date(since), new Date(until), now),
          }))}
        />
      )}
    </section>
  );
}

/** `10 Dec, 14:02 to 14:19`. */
function describeSpan(since: Date, until: Date, now: Date): string {
  const [from, to] = [formatMoment(since, now), formatMoment(until, now)];
  if (from === to) return from;
  return `${from} to ${isSameDay(since, until) ? formatTime(until) : to}`;
}

const MINUTE_MS = 60_000;

/** From a minute on as the times of day beside it, which are whole minutes. */
function describeLength(since: Date, until: Date): string {
  const lengthMs = until.getTime() - since.getTime();
  const [from = 0, to = 0] = [since, until].map(
    (at) => Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS,
  );
  return describeDuration(lengthMs < MINUTE_MS ? lengthMs : to - from);
}
