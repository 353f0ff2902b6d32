import { useRef, useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { describeRefusal } from '../api/call-fault.ts';
import { useApiData } from '../api/use-api-data.ts';
import { LoadState } from '../elements/LoadState.tsx';
import { usePerson } from '../navigation/person.ts';
import { useSession } from '../session/session.tsx';
import { useCall } from '../session/use-call.ts';
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
  const [isPreparing, setPreparing] = useState(false);
  /** What must be cancelled first, once that is known. */
  const [asked, setAsked] = useState<{ running: Running | undefined }>();
  const [isErased, setErased] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const receipts = useApiData(
    'GET /api/admin/people/erasures',
    {},
    { refreshInterval: (answer) => (answer?.erasures.some(({ doneAt }) => doneAt === null) ? REFRESH_EVERY_MS : 0) },
  );
  const exporting = useCall('POST /api/admin/people/export', { onDone: (data) => saveFile('person.json', data) });
  const erasing = useCall('POST /api/admin/people/erase', {
    onDone() {
      setEmail('');
      person.forget();
      setErased(true);
      return receipts.reload();
    },
  });
  const begin = () => {
    setFault(undefined);
    exporting.reset();
    erasing.reset();
    setErased(false);
  };
  const ask = async () => {
    begin();
    if (email.trim() === '') {
      setFault('Enter an address first.');
      input.current?.focus();
      return;
    }
    setPreparing(true);
    try {
      setAsked({ running: await findRunning(call, email.trim()) });
    } catch (error) {
      setFault(describeRefusal(error));
    } finally {
      setPreparing(false);
    }
  };
  return (
    <>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          begin();
          void exporting.send({ body: { email } });
        }}
      >
        <TextField
          ref={input}
          label="Email address"
          type="email"
          autoComplete="off"
          spellCheck={false}
          value={email}
          error={fault ?? exporting.fault ?? erasing.fault}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Button type="submit" pending={exporting.isPending} pendingLabel="Exporting...">
          Export as JSON
        </Button>
        <Button look="danger" pending={isPreparing} pendingLabel="Checking..." onClick={() => void ask()}>
          Erase…
        </Button>
      </form>
      <p className={styles.quiet}>
        The export contains everything stored about the address, with the text of each consent. Erasing deletes it here
        immediately, and at Beehiiv once Beehiiv confirms. The ids, amounts and dates of payments stay here without the
        person, and invoices stay at Stripe, as the law requires. A running subscription or trial must be cancelled
        first.
      </p>
      <output className="visually-hidden">
        {isErased &&
          'Erased here. The receipt is the first in the table. Beehiiv is being asked to delete the subscriber.'}
      </output>
      <LoadState of="receipts" {...receipts} />
      {receipts.data && <Receipts erasures={receipts.data.erasures} />}
      {asked && (
        <EraseDialog
          email={email}
          running={asked.running}
          onClose={() => setAsked(undefined)}
          onErase={() => {
            setAsked(undefined);
            begin();
            void erasing.send({ body: { email } });
          }}
        />
      )}
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
