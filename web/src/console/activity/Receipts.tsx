import type { ErasureReceipt } from '@site/schema/calls/privacy';
import { londonDate } from '@site/schema/calendar';
import { Link } from 'react-router-dom';
import { useApiData } from '../api/data.tsx';
import { DataTable } from '../shared/DataTable.tsx';
import type { Column } from '../shared/DataTable.tsx';
import { countRows, formatDated } from '../shared/format.ts';
import { LoadState } from '../shared/LoadState.tsx';
import { SectionHead } from '../shared/heads.tsx';
import { Moment } from '../shared/fields.tsx';
import { RECEIPTS } from '../navigation.ts';
import { nameReceipt } from './actions.tsx';
import styles from './ActivityView.module.css';
import type { ActivityFilter } from './use-activity.ts';

const REFRESH_EVERY_MS = 5_000;

/** The latest erasures, newest first, and how far Beehiiv is with each. Without `all`, those that are not over. */
export function Receipts({ chosen, all }: { chosen: ActivityFilter; all: boolean }) {
  const receipts = useApiData(
    'GET /api/admin/people/erasures',
    {},
    {
      refreshInterval: (answer) =>
        answer?.erasures.some(({ doneAt }) => doneAt === null) ? REFRESH_EVERY_MS : 0,
    },
  );
  const shown =
    receipts.data?.erasures.filter((each) => (all || each.doneAt === null) && isOf(chosen, each)) ??
    [];
  if (shown.length === 0) return all && <LoadState of="receipts" {...receipts} />;
  return (
    <section className={styles.receipts} aria-label="Receipts of erasures">
      <SectionHead title="Receipts of erasures" aside={!all && 'not over yet'}>
        {!all && <Link to={{ search: RECEIPTS }}>All receipts</Link>}
      </SectionHead>
      <LoadState of="receipts" {...receipts} />
      <DataTable
        name="Receipts of erasures"
        rows={shown}
        keyOf={({ id }) => id}
        columns={toColumns(shown)}
      />
    </section>
  );
}

const toColumns = (all: readonly ErasureReceipt[]): Column<ErasureReceipt>[] => [
  { head: 'Erased here', width: '26%', cell: (receipt) => describeErased(receipt, all) },
  { head: 'At Beehiiv', place: 'line', cell: describeBeehiiv },
  { head: 'Receipt', width: '11%', label: 'Receipt', cell: ({ id }) => nameReceipt(id) },
  { head: 'By', width: '18%', label: 'by', cell: ({ requestedBy }) => <bdi>{requestedBy}</bdi> },
  {
    head: 'Requested',
    width: '14%',
    isFigure: true,
    cell: ({ requestedAt }) => <Moment at={requestedAt} />,
  },
];

function isOf(
  { operator, startDate, endDate }: ActivityFilter,
  { requestedBy, requestedAt }: ErasureReceipt,
): boolean {
  const day = londonDate(new Date(requestedAt));
  return (
    (!operator || requestedBy === operator) && day >= startDate && (!endDate || day <= endDate)
  );
}

function describeErased(
  { erased, requestedAt }: ErasureReceipt,
  all: readonly ErasureReceipt[],
): string {
  const isOther = (of: Pick<ErasureReceipt, 'erased'>) => Object.keys(of.erased).length === 0;
  const main = all.find((each) => !isOther(each) && each.requestedAt === requestedAt);
  // An address that was corrected: what it had is in the receipt of the person.
  if (isOther({ erased }))
    return `Another address of the person${main ? ` in receipt ${nameReceipt(main.id)}` : ''}`;
  return countRows(erased) || 'Nothing was stored';
}

function describeBeehiiv(receipt: ErasureReceipt): string {
  const { doneAt, attempts, lastMessage, reason, deletedAt, nextAttemptAt } = receipt;
  if (doneAt !== null)
    return `Deleted ${formatDated(new Date(doneAt))}; the address is no longer stored`;
  if (deletedAt !== null) {
    const found = reason === 'not-subscribed' ? 'Not on the Beehiiv list' : 'Deleted at Beehiiv';
    return `${found}. Will be checked again at ${formatDated(new Date(nextAttemptAt))}`;
  }
  // It may have been deleted before, and is looked for again.
  if (attempts === 0 || reason === 'not-subscribed') return 'Waiting to be deleted';
  const soFar = `Not deleted yet, after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
  const why = lastMessage === null ? '' : ` (${lastMessage})`;
  return `${soFar}${why}. Next attempt at ${formatDated(new Date(nextAttemptAt))}`;
}
