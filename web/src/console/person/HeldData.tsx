import type { CallAnswer } from '@site/schema/calls/calls';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import useSWR from 'swr';
import { toasts } from '../../ui/toast-store.ts';
import { toFailureText } from '../api/failure.ts';
import { CURRENT_DATA } from '../api/data.tsx';
import { ConfirmDialog } from '../shared/ConfirmDialog.tsx';
import styles from '../shared/dialog.module.css';
import { LinkButton } from '../shared/fields.tsx';
import { countRows, IN_SENTENCE } from '../shared/format.ts';
import { RECEIPTS } from '../navigation.ts';
import { useSession } from '../session/session.ts';
import { useCall } from '../session/use-call.ts';
import { saveExport } from './export-page.ts';
import personStyles from './Person.module.css';

type DialogProps = { email: string; name: string; onClose: () => void };

/** Saves everything held about a person as a page that includes the JSON. */
export function ExportDialog({ email, name, onClose }: DialogProps) {
  const { send, failure, isPending } = useCall('POST /api/admin/people/export', {
    onDone(answer) {
      toasts.add({ title: 'Exported', description: saveExport(answer, name) });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title="Export everything held?"
      person={email}
      submit="Export"
      isPending={isPending}
      failure={failure}
      onSubmit={() => void send({ body: { email } })}
      onClose={onClose}
    >
      <p className={styles.words}>
        One page to read, which also carries the data as JSON. What Beehiiv and Stripe hold is
        exported there.
      </p>
    </ConfirmDialog>
  );
}

/**
 * Shows the rows to be erased, and asks for confirmation, because an erasure cannot be undone. Then
 * shows the receipt.
 */
export function EraseDialog({ email, name, onClose }: DialogProps) {
  const navigate = useNavigate();
  const { isNothing, sentence, others, pays, failure } = useHeld(email);
  const erasing = useCall('POST /api/admin/people/erase', {
    onDone() {
      onClose();
      // Replaced, so that the history loses the search text too.
      void navigate({ search: RECEIPTS }, { replace: true });
      toasts.add({
        title: 'Erased here',
        description: 'Beehiiv is being asked to delete the subscriber.',
      });
    },
  });
  return (
    <ConfirmDialog
      title={`Erase ${name === email ? 'this person' : name}?`}
      person={email}
      submit="Erase permanently"
      isFinal
      isDisabled={sentence === undefined}
      isPending={erasing.isPending}
      failure={failure ?? erasing.failure}
      onSubmit={() => void erasing.send({ body: { email } })}
      onClose={onClose}
    >
      <p className={styles.words}>
        {sentence ?? 'Counting…'}{' '}
        {isNothing
          ? 'Beehiiv deletes the subscriber, if it knows the email.'
          : `Everything about this person${others ? `, also under ${others},` : ''} is deleted, ` +
            'here and at Beehiiv.'}{' '}
        This cannot be undone.
        {pays &&
          ' Only the ids, amounts and dates of payments stay here without the person, and the ' +
            'invoices at Stripe, as the law requires.'}
      </p>
    </ConfirmDialog>
  );
}

/** Exports or erases the data of an email without a lead, which may only be at Beehiiv. */
export function HeldEmail({ email }: { email: string }) {
  const [open, setOpen] = useState<'export' | 'erase'>();
  const dialog = { email, name: email, onClose: () => setOpen(undefined) };
  return (
    <div className={personStyles.held}>
      <p>If they ask for their data, or to be forgotten:</p>
      <LinkButton onClick={() => setOpen('export')}>Export…</LinkButton>
      <LinkButton onClick={() => setOpen('erase')}>Erase…</LinkButton>
      {open === 'export' && <ExportDialog {...dialog} />}
      {open === 'erase' && <EraseDialog {...dialog} />}
    </div>
  );
}

/**
 * Counts an email's rows to be erased, in the words of the receipt. Returns no sentence until they
 * are counted.
 */
function useHeld(email: string) {
  const { call } = useSession();
  const { data, error } = useSWR<CallAnswer<'POST /api/admin/people/lookup'>, unknown>(
    ['held', email],
    async () => call('POST /api/admin/people/lookup', { body: { email } }),
    CURRENT_DATA,
  );
  const { rows, others = [] } = data ?? {};
  const counted = rows && countRows(rows);
  return {
    isNothing: counted === '',
    sentence: counted === '' ? 'Nothing is stored about this email.' : counted && `${counted}.`,
    others: IN_SENTENCE.format(others),
    pays: Boolean(rows?.['subscriptions']),
    failure: error === undefined ? undefined : toFailureText(error),
  };
}
