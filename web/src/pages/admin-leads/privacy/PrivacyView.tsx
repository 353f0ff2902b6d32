import { erasureReceipt } from '@site/schema/console';
import type { ErasureReceipt, ErasuresAnswer } from '@site/schema/console';
import { useRef, useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { TextField } from '../../../ui/Field.tsx';
import { describeFault } from '../api/call-fault.ts';
import { useApiData } from '../api/use-api-data.ts';
import { DataTable } from '../elements/DataTable.tsx';
import { usePerson } from '../navigation/person.ts';
import { useSession } from '../session/session.tsx';
import { formatMoment } from '../time/london-time.ts';
import { useNow } from '../time/use-now.ts';
import { EraseDialog } from './EraseDialog.tsx';
import styles from './PrivacyView.module.css';

const REFRESH_EVERY_MS = 5_000;

/** Exports everything stored about one person, and erases it here and at Beehiiv. */
export function PrivacyView() {
  const { call } = useSession();
  const person = usePerson();
  const [email, setEmail] = useState(person.email);
  const [fault, setFault] = useState<string>();
  const [isExporting, setExporting] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const [isErased, setErased] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const { data, reload } = useApiData<ErasuresAnswer>('/api/admin/people/erasures', {
    refreshInterval: (answer) => (answer?.erasures.some(({ doneAt }) => doneAt === null) ? REFRESH_EVERY_MS : 0),
  });

  const attempt = async (work: () => Promise<void>) => {
    setFault(undefined);
    setErased(false);
    try {
      await work();
    } catch (error) {
      setFault(describeFault(error));
    }
  };
  const exportPerson = () =>
    attempt(async () => {
      setExporting(true);
      try {
        const answer = await call('POST', '/api/admin/people/export', { email });
        saveFile('person.json', await answer.blob());
      } finally {
        setExporting(false);
      }
    });
  const erase = () =>
    attempt(async () => {
      setAsking(false);
      const answer = await call('POST', '/api/admin/people/erase', { email });
      erasureReceipt.parse(await answer.json());
      setEmail('');
      person.forget();
      setErased(true);
      await reload();
    });
  const ask = () => {
    if (email.trim() !== '') return setAsking(true);
    setFault('Enter an address first.');
    input.current?.focus();
  };
  return (
    <>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          void exportPerson();
        }}
      >
        <TextField
          ref={input}
          label="Email address"
          type="email"
          autoComplete="off"
          spellCheck={false}
          value={email}
          error={fault}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Button type="submit" pending={isExporting} pendingLabel="Exporting...">
          Export as JSON
        </Button>
        <Button look="line" onClick={ask}>
          Erase…
        </Button>
      </form>
      <p className={styles.quiet}>
        The export contains everything stored about the address, with the text of each consent. Erasing deletes it here
        at once, and at Beehiiv as soon as Beehiiv confirms. Invoices at Stripe are kept, as the law requires.
      </p>
      <output className="visually-hidden">
        {isErased &&
          'Erased here. The receipt is the first in the table. Beehiiv is being asked to delete the subscriber.'}
      </output>
      <Receipts erasures={data?.erasures ?? []} />
      <EraseDialog email={email} isOpen={isAsking} onClose={() => setAsking(false)} onErase={() => void erase()} />
    </>
  );
}

function Receipts({ erasures }: { erasures: ErasureReceipt[] }) {
  const now = useNow(false);
  if (erasures.length === 0) return null;
  return (
    <section aria-label="Receipts">
      <h2>Receipts</h2>
      <DataTable name="Receipts" heads={['Receipt', 'Requested', 'Erased here', 'At Beehiiv']}>
        {erasures.map((receipt) => (
          <tr key={receipt.id}>
            <td>{receipt.id}</td>
            <td>
              {formatMoment(new Date(receipt.requestedAt), now)} by <bdi>{receipt.requestedBy}</bdi>
            </td>
            <td>{describeErased(receipt)}</td>
            <td>
              {receipt.doneAt === null
                ? `In progress, ${receipt.attempts} attempts so far${receipt.lastMessage ? `: ${receipt.lastMessage}` : ''}`
                : `Deleted ${formatMoment(new Date(receipt.doneAt), now)}; the address is no longer stored`}
            </td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}

function describeErased({ erased }: ErasureReceipt): string {
  const told = Object.entries(erased).flatMap(([table, rows]) =>
    rows > 0 ? [`${rows} ${table.replaceAll('_', ' ')}`] : [],
  );
  return told.join(', ') || 'Nothing was stored';
}

function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
