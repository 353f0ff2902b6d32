import { useRef, useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { TextField } from '../../../ui/Field.tsx';
import { describeFault } from '../api/call-fault.ts';
import { useApiData } from '../api/use-api-data.ts';
import { LoadState } from '../elements/LoadState.tsx';
import { usePerson } from '../navigation/person.ts';
import { useSession } from '../session/session.tsx';
import { EraseDialog } from './EraseDialog.tsx';
import { findRunning } from './find-running.ts';
import type { Running } from './find-running.ts';
import styles from './PrivacyView.module.css';
import { Receipts } from './Receipts.tsx';

const REFRESH_EVERY_MS = 5_000;

/** Exports everything stored about one person, and erases it here and at Beehiiv. */
export function PrivacyView() {
  const { call } = useSession();
  const person = usePerson();
  const [email, setEmail] = useState(person.email);
  const [fault, setFault] = useState<string>();
  const [isExporting, setExporting] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const [isPreparing, setPreparing] = useState(false);
  const [running, setRunning] = useState<Running>();
  const [isErased, setErased] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const {
    data,
    fault: loadFault,
    reload,
  } = useApiData(
    'GET /api/admin/people/erasures',
    {},
    { refreshInterval: (answer) => (answer?.erasures.some(({ doneAt }) => doneAt === null) ? REFRESH_EVERY_MS : 0) },
  );

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
        saveFile('person.json', await call('POST /api/admin/people/export', { body: { email } }));
      } finally {
        setExporting(false);
      }
    });
  const erase = () =>
    attempt(async () => {
      setAsking(false);
      await call('POST /api/admin/people/erase', { body: { email } });
      setEmail('');
      person.forget();
      setErased(true);
      await reload();
    });
  const ask = () => {
    if (email.trim() === '') {
      setFault('Enter an address first.');
      input.current?.focus();
      return;
    }
    void attempt(async () => {
      setPreparing(true);
      try {
        setRunning(await findRunning(call, email.trim()));
        setAsking(true);
      } finally {
        setPreparing(false);
      }
    });
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
        <Button look="danger" pending={isPreparing} pendingLabel="Checking..." onClick={ask}>
          Erase…
        </Button>
      </form>
      <p className={styles.quiet}>
        The export contains everything stored about the address, with the text of each consent. Erasing deletes it here
        at once, and at Beehiiv as soon as Beehiiv confirms. Invoices at Stripe are kept, as the law requires. A running
        subscription or trial must be cancelled first.
      </p>
      <output className="visually-hidden">
        {isErased &&
          'Erased here. The receipt is the first in the table. Beehiiv is being asked to delete the subscriber.'}
      </output>
      {(!data || loadFault !== undefined) && (
        <LoadState of="receipts" fault={loadFault} hasLast={data !== undefined} onTryAgain={reload} />
      )}
      {data && <Receipts erasures={data.erasures} />}
      <EraseDialog
        email={email}
        running={running}
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        onErase={() => void erase()}
      />
    </>
  );
}

function saveFile(name: string, content: unknown): void {
  const text = JSON.stringify(content, null, 2);
  const url = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
