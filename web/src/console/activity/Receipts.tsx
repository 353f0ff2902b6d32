import type { ErasureReceipt } from '@site/schema/calls/privacy';
import { Link } from 'react-router-dom';
import { useApiData } from '../api/data.tsx';
import { RECEIPTS } from '../navigation.ts';
import { DataTable } from '../shared/DataTable.tsx';
import type { Column } from '../shared/DataTable.tsx';
import { Moment } from '../shared/fields.tsx';
import { countOf, countRows, formatDateTime } from '../shared/format.ts';
import { SectionHead } from '../shared/heads.tsx';
import { LoadState } from '../shared/LoadState.tsx';
import { nameReceipt } from './actions.tsx';
import styles from './ActivityView.module.css';

const REFRESH_EVERY_MS = 5_000;

/**
 * Lists the latest erasures, newest first, with their progress at Beehiiv. Without `all`, lists
 * only unfinished erasures.
 */
export function Receipts({ all }: { all: boolean }) {
  const receipts = useApiData(
    'GET /api/admin/people/erasures',
    {},
    {
      refreshInterval: (answer) =>
        answer?.erasures.some(({ doneAt }) => doneAt === null) ? REFRESH_EVERY_MS : 0,
    },
  );
  const shown = (receipts.data?.erasures ?? []).filter(({ doneAt }) => all || doneAt === null);
  if (shown.length === 0) return all && <LoadState of="receipts" {...receipts} />;
  return (
    <section className={styles.receipts} aria-label="Erasure receipts">
      <SectionHead title="Erasure receipts" aside={!all && 'in progress'}>
        {!all && <Link to={{ search: RECEIPTS }}>All receipts</Link>}
      </SectionHead>
      <LoadState of="receipts" {...receipts} />
      <DataTable name="Erasure receipts" rows={shown} keyOf={({ id }) => id} columns={COLUMNS} />
    </section>
  );
}

const COLUMNS: Column<ErasureReceipt>[] = [
  {
    head: 'Erased here',
    width: '26%',
    // The person's receipt covers a former email.
    cell: ({ erased }) =>
      Object.keys(erased).length === 0
        ? 'Another email of the person'
        : countRows(erased) || 'Nothing was stored',
  },
  { head: 'At Beehiiv', place: 'line', cell: toBeehiivText },
  { head: 'Receipt', width: '11%', label: 'Receipt', cell: ({ id }) => nameReceipt(id) },
  { head: 'By', width: '18%', label: 'by', cell: ({ requestedBy }) => <bdi>{requestedBy}</bdi> },
  {
    head: 'Requested',
    width: '14%',
    isFigure: true,
    cell: ({ requestedAt }) => <Moment at={requestedAt} />,
  },
];

function toBeehiivText(receipt: ErasureReceipt): string {
  const { doneAt, attempts, lastMessage, reason, deletedAt, nextAttemptAt } = receipt;
  if (doneAt !== null)
    return `Deleted ${formatDateTime(new Date(doneAt))}; the email is no longer stored`;
  const next = formatDateTime(new Date(nextAttemptAt));
  if (deletedAt !== null) {
    const outcome = reason === 'not-subscribed' ? 'Not on the Beehiiv list' : 'Deleted at Beehiiv';
    return `${outcome}. Will be checked again at ${next}`;
  }
  // The subscriber may already be deleted, and is looked up again.
  if (attempts === 0 || reason === 'not-subscribed') return 'Waiting to be deleted';
  const why = lastMessage === null ? '' : ` (${lastMessage})`;
  return `Not deleted yet, after ${countOf(attempts, 'attempt')}${why}. Next attempt at ${next}`;
}
