import type { DeliveryAnswer } from '@site/schema/calls/sync';
import { CONDITIONS } from '@site/schema/conditions';
import { countOf, formatDuration } from '../shared/format.ts';
import { Moment } from '../shared/fields.tsx';
import { SectionHead } from '../shared/heads.tsx';
import { StateRows } from './StateRows.tsx';

/** Lists the times in which no lead was sent, or nobody could subscribe, the latest first. */
export function Outages({ outages }: Pick<DeliveryAnswer, 'outages'>) {
  return (
    <section aria-labelledby="outages">
      <SectionHead id="outages" title="Outages" aside={outages.length > 0 && 'No lead was lost.'} />
      {outages.length === 0 ? (
        <p>No outage is on record yet.</p>
      ) : (
        <StateRows
          name="Outages"
          rows={outages.map(({ kind, since, until, waited }) => ({
            tone: 'past' as const,
            name: CONDITIONS[kind].outage ?? kind,
            text:
              `${formatDuration(Date.parse(until) - Date.parse(since))}, ` +
              (kind === 'stripe-unavailable'
                ? 'nobody could subscribe'
                : `${countOf(waited, 'lead')} waited`),
            at: <Moment at={since} />,
          }))}
        />
      )}
    </section>
  );
}
