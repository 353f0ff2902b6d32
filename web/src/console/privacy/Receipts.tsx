import type { ErasureReceipt } from '@site/schema/calls/people';
import { useSearchParams } from 'react-router-dom';
import { DataTable } from '../elements/DataTable.tsx';
import { EmptyView } from '../elements/EmptyView.tsx';
import { countRows } from '../elements/format-count.ts';
import { LinkButton } from '../elements/LinkButton.tsx';
import { SectionHead } from '../elements/SectionHead.tsx';
import { TableFilters } from '../elements/TableFilters.tsx';
import { Moment } from '../elements/Moment.tsx';
import { formatMoment, formatTime, isSameDay } from '../time/london-time.ts';
import { useNow } from '../time/use-now.ts';
import styles from './PrivacyView.module.css';

const STATES = [
  { value: 'running', label: 'In progress at Beehiiv' },
  { value: 'done', label: 'Deleted everywhere' },
];

/** What was erased, newest first, and how far Beehiiv is. */
export function Receipts({ erasures }: { erasures: readonly ErasureReceipt[] }) {
  const now = useNow(false);
  const [params, setParams] = useSearchParams();
  const state = params.get('state') ?? '';
  const choose = (wanted: string) =>
    setParams(new URLSearchParams(wanted === '' ? { view: 'people' } : { view: 'people', state: wanted }));
  const shown = erasures.filter(({ doneAt }) => state === '' || state === (doneAt === null ? 'running' : 'done'));
  return (
    <section aria-label="Receipts" className={styles.receipts}>
      <SectionHead title="Receipts">
        {erasures.length > 0 && (
          <TableFilters
            name="Receipts"
            selects={[{ label: 'Status', all: 'All receipts', value: state, options: STATES, onChoose: choose }]}
          />
        )}
      </SectionHead>
      {erasures.length === 0 ? (
        <EmptyView title="No erasures yet">
          Enter an address above and press “Erase…”. The receipt appears here, without the address.
        </EmptyView>
      ) : (
        <>
          {shown.length === 0 ? (
            <EmptyView title="No receipts found">
              <LinkButton onClick={() => choose('')}>Show all receipts</LinkButton>
            </EmptyView>
          ) : (
            <DataTable
              name="Receipts"
              heads={['Erased here', 'At Beehiiv', 'Receipt', 'By', 'Requested']}
              widths={['30%', 'auto', '12%', '12%', '14%']}
              numbersFrom={4}
              isStacking
            >
              {shown.map((receipt) => (
                <tr key={receipt.id}>
                  <td>{describeErased(receipt)}</td>
                  <td data-own>{describeBeehiiv(receipt, now)}</td>
                  <td className={styles.id} data-label="Receipt" title={receipt.id}>
                    {receipt.id.slice(0, 8)}
                  </td>
                  <td data-label="by">
                    <bdi>{receipt.requestedBy}</bdi>
                  </td>
                  <td data-figure>
                    <Moment at={receipt.requestedAt} now={now} />
                  </td>
                </tr>
              ))}
            </DataTable>
          )}
        </>
      )}
    </section>
  );
}

function describeErased({ erased }: ErasureReceipt): string {
  return countRows(erased) || 'Nothing was stored';
}

function describeBeehiiv(receipt: ErasureReceipt, now: Date): string {
  const { doneAt, attempts, lastMessage, reason, deletedAt, nextAttemptAt } = receipt;
  if (doneAt !== null) return `Deleted ${formatMoment(new Date(doneAt), now)}; the address is no longer stored`;
  if (deletedAt !== null) {
    const found = reason === 'not-subscribed' ? 'Not on the Beehiiv list' : 'Deleted at Beehiiv';
    const next = new Date(nextAttemptAt);
    return `${found}. Checked again at ${isSameDay(next, now) ? formatTime(next) : formatMoment(next, now)}`;
  }
  if (attempts === 0) return 'Waiting to be deleted';
  const soFar = `Not deleted yet, after ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}`;
  return `${soFar}${lastMessage === null ? '' : `: ${lastMessage}`}`;
}
