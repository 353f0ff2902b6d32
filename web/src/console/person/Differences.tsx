import type { PersonAnswer } from '@site/schema/calls/people';
import type { Remedy } from '@site/schema/differences';
import { useState } from 'react';
import { useCall } from '../session/use-call.ts';
import { Button } from '../../ui/Button.tsx';
import { ConfirmDialog } from '../shared/ConfirmDialog.tsx';
import dialog from '../shared/dialog.module.css';
import styles from './Person.module.css';

const WORDS: Record<Remedy, { fact: string; button: string }> = {
  'add-again': { fact: 'Missing at Beehiiv', button: 'Add again' },
  'set-premium': { fact: 'Not on the paid list', button: 'Move to the paid list' },
  'set-free': { fact: 'On the paid list without paying', button: 'Move to the free list' },
};

type DifferencesProps = { person: PersonAnswer; onDone: () => unknown };

/** What the last comparison found about a person, each with its remedy. The verdict has that of a payer. */
export function Differences({ person, onDone }: DifferencesProps) {
  const { lead, notReceiving } = person;
  return person.differences
    .filter(({ id }) => id !== notReceiving?.differenceId)
    .map((difference) => (
      <Difference key={difference.id} difference={difference} email={lead.email} onDone={onDone} />
    ));
}

type DifferenceProps = {
  difference: PersonAnswer['differences'][number];
  email: string;
  onDone: () => unknown;
};

/** Taking the paid newsletter away asks for confirmation. */
function Difference({ difference: { id, remedy, isRequested }, email, onDone }: DifferenceProps) {
  const [isConfirming, setConfirming] = useState(false);
  const { send, isPending } = useCall('POST /api/admin/differences/:id/remedy', {
    failure: 'The request failed',
    onDone,
  });
  const { fact, button } = WORDS[remedy];
  const fix = () => {
    setConfirming(false);
    void send({ params: { id } });
  };
  return (
    <div className={styles.verdict} data-tone="pending">
      <p>
        <strong>{fact}</strong> {isRequested && 'Being fixed.'}
      </p>
      {!isRequested && (
        <div>
          <Button
            look="line"
            pending={isPending}
            pendingLabel="Asking..."
            onClick={() => (remedy === 'set-free' ? setConfirming(true) : fix())}
          >
            {button}
            {remedy === 'set-free' && '…'}
          </Button>
        </div>
      )}
      {isConfirming && (
        <ConfirmDialog
          title="Move to the free list?"
          person={email}
          submit={button}
          onSubmit={fix}
          onClose={() => setConfirming(false)}
        >
          <p className={dialog.words}>
            They no longer get the paid issue. If it was a gift from you, give them free access
            instead.
          </p>
        </ConfirmDialog>
      )}
    </div>
  );
}
