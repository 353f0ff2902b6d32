import { BEEHIIV_ANSWERS, describeAnswer } from '@site/schema/beehiiv-answers';
import type { BeehiivAnswer } from '@site/schema/beehiiv-answers';
import type { DeliveryAnswer } from '@site/schema/calls/sync';
import { Link } from 'react-router-dom';
import { OUTAGE_NAMES } from '../lead/lead-labels.ts';
import { countOf, formatDuration, describeSpan, formatCount } from '../shared/format.ts';
import { DataTable } from '../shared/DataTable.tsx';
import type { Column } from '../shared/DataTable.tsx';
import { toQuery } from '../shared/filter.ts';
import { Moment } from '../shared/fields.tsx';
import { SectionHead } from '../shared/heads.tsx';
import { StateRows } from './StateRows.tsx';
import styles from './SyncView.module.css';

/** When no lead was sent, or nobody could subscribe, the latest first. */
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
            name: OUTAGE_NAMES[kind] ?? kind,
            text: `${formatDuration(Date.parse(until) - Date.parse(since))}, ${kind === 'stripe-unavailable' ? 'nobody could subscribe' : `${countOf(waited, 'lead')} waited`}`,
            at: <Moment at={since} />,
          }))}
        />
      )}
    </section>
  );
}

/** Why attempts failed, and what became of the leads. */
export function Errors({ errors, days }: Pick<DeliveryAnswer, 'errors' | 'days'>) {
  return (
    <section aria-labelledby="errors">
      <SectionHead id="errors" title="Errors by reason" aside={describeSpan(days)} />
      {errors.length === 0 ? (
        <p>No failed attempts.</p>
      ) : (
        <DataTable
          name="Errors by reason"
          rows={errors}
          keyOf={(error) => `${error.class} ${error.cause}`}
          columns={COLUMNS}
        />
      )}
    </section>
  );
}

type SyncError = DeliveryAnswer['errors'][number];

const COLUMNS: Column<SyncError>[] = [
  {
    head: 'Reason',
    cell: ({ cause }) => (
      <>
        {describeAnswer(cause) || 'No message'}
        <Status cause={cause} />
      </>
    ),
  },
  {
    head: 'Leads',
    width: '64px',
    isFigure: true,
    label: 'leads',
    cell: ({ cause, leads }) =>
      cause === '' ? (
        formatCount(leads)
      ) : (
        <Link className={styles.leads} to={{ search: toQuery({ error: cause }) }}>
          {formatCount(leads)}
        </Link>
      ),
  },
  {
    head: 'Last seen',
    width: '130px',
    label: 'last',
    cell: ({ lastAt }) => <Moment at={lastAt} />,
  },
  {
    head: 'What became of them',
    width: '36%',
    place: 'line',
    cell: describeOutcomes,
  },
];

function Status({ cause }: { cause: string }) {
  const { statuses } = (BEEHIIV_ANSWERS as Record<string, BeehiivAnswer | undefined>)[cause] ?? {};
  if (statuses?.length !== 1) return null;
  return <span className={styles.small}>Beehiiv answered {statuses[0]}</span>;
}

/** `1 sent, 2 corrected, 3 failed`. */
function describeOutcomes({ leads, sent, pending, failed }: SyncError): string {
  return [
    [sent, 'sent'] as const,
    [leads - sent - pending - failed, 'corrected'] as const,
    [pending, 'being retried'] as const,
    [failed, 'failed'] as const,
  ]
    .filter(([count]) => count > 0)
    .map(([count, outcome]) => `${formatCount(count)} ${outcome}`)
    .join(', ');
}
