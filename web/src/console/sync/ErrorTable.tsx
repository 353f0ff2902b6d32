import { ADDRESS_REASONS, BEEHIIV_ANSWERS, describeAnswer } from '@site/schema/beehiiv-answers';
import type { BeehiivAnswer } from '@site/schema/beehiiv-answers';
import type { DeliveryAnswer } from '@site/schema/calls/sync';
import { Link } from 'react-router-dom';
import { classNames } from '../../ui/class-names.ts';
import { describeSpan } from '../shared/chart-labels.ts';
import { DataTable } from '../shared/DataTable.tsx';
import { formatCount } from '../shared/format-count.ts';
import { lineButton } from '../shared/LinkButton.tsx';
import { Moment } from '../shared/Moment.tsx';
import { SectionHead } from '../shared/SectionHead.tsx';
import { toQuery } from '../shared/filter-params.ts';
import styles from './SyncView.module.css';

type SyncError = DeliveryAnswer['errors'][number];
type ErrorTableProps = Pick<DeliveryAnswer, 'errors' | 'days'> & { isPaused: boolean; now: Date };

/** Why attempts failed, of how many leads, and what happens then. */
export function ErrorTable({ errors, days, isPaused, now }: ErrorTableProps) {
  return (
    <section aria-labelledby="errors">
      <SectionHead id="errors" title="Errors by reason" aside={describeSpan(days)} />
      {errors.length === 0 ? (
        <p>No failed attempts.</p>
      ) : (
        <DataTable
          name="Errors by reason"
          heads={['Reason', 'Leads', 'Last seen', 'What happens', '']}
          widths={['auto', '64px', '130px', '26%', '126px']}
          numbersFrom={1}
          numbersTo={1}
          isStacking
        >
          {errors.map((error) => (
            <ErrorRow
              key={`${error.class} ${error.cause}`}
              error={error}
              isPaused={isPaused}
              now={now}
            />
          ))}
        </DataTable>
      )}
    </section>
  );
}

function ErrorRow({ error, isPaused, now }: { error: SyncError; isPaused: boolean; now: Date }) {
  const { class: kind, cause, leads, failed, failedOtherwise, leadId, lastAt } = error;
  const isAddress = ADDRESS_REASONS.includes(cause);
  const opened = isAddress || failed === 1 ? leadId : null;
  const { statuses } = (BEEHIIV_ANSWERS as Record<string, BeehiivAnswer | undefined>)[cause] ?? {};
  return (
    <tr>
      <th scope="row">
        {describeAnswer(cause) || 'No message'}
        {statuses?.length === 1 && (
          <span className={styles.small}>Beehiiv answered {statuses[0]}</span>
        )}
      </th>
      <td data-figure data-unit={leads === 1 ? 'lead' : 'leads'}>
        {cause === '' ? (
          formatCount(leads)
        ) : (
          <Link className={styles.leads} to={{ search: toQuery({ error: cause }) }}>
            {formatCount(leads)}
          </Link>
        )}
      </td>
      <td data-label="last">
        <Moment at={lastAt} now={now} />
      </td>
      <td data-own>{describeOutcomes(error, isPaused)}</td>
      <td data-figure data-own data-acts>
        {kind === 'permanent' && cause !== '' && failed > 0 && (
          <Link
            className={classNames(lineButton, styles.correct)}
            to={{
              search:
                toQuery({ error: cause, status: 'failed' }) +
                (opened === null ? '' : `&lead=${opened}`),
            }}
            state={{ correcting: isAddress ? opened : null, done: [] }}
          >
            {isAddress
              ? `Correct ${failed === 1 ? 'it' : 'each'}…`
              : failed + failedOtherwise === 1
                ? 'Show it'
                : `Show ${formatCount(failed + failedOtherwise)}`}
          </Link>
        )}
      </td>
    </tr>
  );
}

/** What became of the leads: `1 arrived, 2 corrected, 3 wait for a correction`. */
function describeOutcomes(error: SyncError, isPaused: boolean): string {
  const { class: kind, cause, leads, failed, failedOtherwise, sent, pending } = error;
  const [waits, needs] = failed === 1 ? ['waits', 'needs'] : ['wait', 'need'];
  const outcomes: (readonly [number, string])[] = [
    [sent, 'arrived'],
    [leads - sent - pending - failed - failedOtherwise, 'corrected'],
    [
      pending,
      isPaused || kind === 'configuration'
        ? 'retried once the setting is correct'
        : 'being retried',
    ],
    [
      failed,
      ADDRESS_REASONS.includes(cause) ? `${waits} for a correction` : `${needs} a retry by hand`,
    ],
    [failedOtherwise, 'failed for another reason'],
  ];
  return outcomes
    .filter(([count]) => count > 0)
    .map(
      ([count, outcome]) =>
        `${count === leads && count > 1 ? 'All' : formatCount(count)} ${outcome}`,
    )
    .join(', ');
}
