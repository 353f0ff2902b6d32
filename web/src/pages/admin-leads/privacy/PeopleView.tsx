import { erasureReceipt } from '@site/schema/console';
import type { ErasureReceipt, ErasuresAnswer } from '@site/schema/console';
import { useRef, useState } from 'react';
import useSWR from 'swr';
import { callApi, createFetcher, postJson } from '../../../http.ts';
import { Button } from '../../../ui/Button.tsx';
import { TextField } from '../../../ui/Field.tsx';
import { describeFault, isSignedOut } from '../call-fault.ts';
import { EraseDialog } from './EraseDialog.tsx';
import { formatMoment } from '../london-time.ts';
import { useNow } from '../use-now.ts';
import styles from '../View.module.css';
import { ViewTable } from '../ViewTable.tsx';

const fetchErasures = createFetcher<ErasuresAnswer>();
const SEEN_AGAIN_MS = 5_000;

type PeopleViewProps = { person: string; onSignedOut: () => void; onErased: () => void };

/** The privacy desk: everything kept of one person as a file, and its erasure here and at Beehiiv. */
export function PeopleView({ person, onSignedOut, onErased }: PeopleViewProps) {
  const [email, setEmail] = useState(person);
  const [fault, setFault] = useState<string>();
  const [isExporting, setExporting] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const [isErased, setErased] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const { data, mutate } = useSWR<ErasuresAnswer, unknown>('/api/admin/people/erasures', fetchErasures, {
    revalidateIfStale: true,
    refreshInterval: (answer) => (answer?.erasures.some(({ doneAt }) => doneAt === null) ? SEEN_AGAIN_MS : 0),
  });

  const attempt = async (work: () => Promise<void>) => {
    setFault(undefined);
    setErased(false);
    try {
      await work();
    } catch (error) {
      if (isSignedOut(error)) return onSignedOut();
      setFault(describeFault(error));
    }
  };
  const exportPerson = () =>
    attempt(async () => {
      setExporting(true);
      try {
        const answer = await callApi('POST', '/api/admin/people/export', { email });
        saveFile('person.json', await answer.blob());
      } finally {
        setExporting(false);
      }
    });
  const erase = () =>
    attempt(async () => {
      setAsking(false);
      erasureReceipt.parse(await postJson('/api/admin/people/erase', { email }));
      setEmail('');
      setErased(true);
      onErased();
      await mutate();
    });
  const ask = () => {
    if (email.trim() !== '') return setAsking(true);
    setFault('Type the address first.');
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
          label="Address of the person"
          type="email"
          autoComplete="off"
          spellCheck={false}
          value={email}
          error={fault}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Button type="submit" pending={isExporting} pendingLabel="Gathering...">
          Export as JSON
        </Button>
        <Button look="line" onClick={ask}>
          Erase…
        </Button>
      </form>
      <p className={styles.quiet}>
        The export holds every row about the address, with the wording of each consent. An erasure deletes them at once
        and keeps asking Beehiiv until the subscriber is gone there too. Invoices at Stripe stay, as the law asks.
      </p>
      <output className="visually-hidden">
        {isErased && 'Erased here. Its receipt is the first below; Beehiiv is being asked.'}
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
      <ViewTable name="Receipts" heads={['Receipt', 'Asked', 'Erased here', 'At Beehiiv']}>
        {erasures.map((receipt) => (
          <tr key={receipt.id}>
            <td>{receipt.id}</td>
            <td>
              {formatMoment(new Date(receipt.requestedAt), now)} by <bdi>{receipt.requestedBy}</bdi>
            </td>
            <td>{describeErased(receipt)}</td>
            <td>
              {receipt.doneAt === null
                ? `Asking since then, ${receipt.attempts} attempts so far${receipt.lastMessage ? `: ${receipt.lastMessage}` : ''}`
                : `Gone since ${formatMoment(new Date(receipt.doneAt), now)}; the address is forgotten`}
            </td>
          </tr>
        ))}
      </ViewTable>
    </section>
  );
}

function describeErased({ erased }: ErasureReceipt): string {
  const told = Object.entries(erased).flatMap(([table, rows]) =>
    rows > 0 ? [`${rows} ${table.replaceAll('_', ' ')}`] : [],
  );
  return told.join(', ') || 'Nothing was kept';
}

function saveFile(name: string, content: Blob): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
