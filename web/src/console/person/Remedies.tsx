import type { Reviewable } from '@site/schema/calls/money';
import type { PersonAnswer } from '@site/schema/calls/people';
import type { Remedy } from '@site/schema/differences';
import type { PayerRemedy } from '@site/schema/money';
import { useState } from 'react';
import { useSWRConfig } from 'swr';
import { toUrl } from '../../http.ts';
import { Button } from '../../ui/Button.tsx';
import { FAILURE_DURATION_MS, toasts } from '../../ui/toast-store.ts';
import { useCall } from '../session/use-call.ts';
import { ConfirmDialog } from '../shared/ConfirmDialog.tsx';
import { copyText } from '../shared/fields.tsx';
import dialog from '../shared/dialog.module.css';
import styles from './Person.module.css';

const LABELS: Record<Remedy, string> = {
  'add-again': 'Add again',
  'set-premium': 'Move to the paid list',
  'set-free': 'Move to the free list',
};

/** The button for each remedy of a payer who does not receive. Null: the remedy is automatic. */
const PAYER_LABELS: Record<PayerRemedy, string | null> = {
  'send-lead': 'Send their lead',
  'correct-email': 'Correct the email…',
  'add-again': LABELS['add-again'],
  'set-premium': LABELS['set-premium'],
  compare: 'Compare with Beehiiv',
  'ask-them': 'Copy email text',
  'add-email': null,
  wait: null,
};

const notice = 'The request failed';

type PayerRemedyButtonProps = {
  payer: NonNullable<PersonAnswer['notReceiving']>;
  onCorrect: () => void;
  onDone: () => unknown;
};

/** Applies the remedy for a payer who does not receive. */
export function PayerRemedyButton({ payer, onCorrect, onDone }: PayerRemedyButtonProps) {
  const { email, leadId, differenceId, remedy } = payer;
  const retry = useCall('POST /api/admin/leads/retry', { notice, onDone });
  const putRight = useCall('POST /api/admin/differences/:id/remedy', { notice, onDone });
  const compare = useCall('POST /api/admin/differences/compare', { notice, onDone });
  const label = PAYER_LABELS[remedy];
  if (label === null || (retry.isViewer && remedy !== 'ask-them')) return null;
  const act = () => {
    if (remedy === 'correct-email') onCorrect();
    else if (remedy === 'ask-them' && email !== null)
      void copyText(toFormText(email), 'Paste it into an email to them.');
    else if (remedy === 'compare') void compare.send();
    else if (remedy === 'send-lead' && leadId !== null)
      void retry.send({ body: { ids: [leadId] } });
    else if (differenceId !== null) void putRight.send({ params: { id: differenceId } });
  };
  return (
    <Button
      pending={retry.isPending || putRight.isPending || compare.isPending}
      pendingLabel="Asking..."
      onClick={act}
    >
      {label}
    </Button>
  );
}

const toFormText = (email: string) =>
  `You pay for our newsletter, but ${email} is not subscribed to it at the moment, so it ` +
  'cannot reach you. To receive it again, please fill in this form with the same email. You ' +
  `will not be charged again: ${window.location.origin}/subscribe`;

const FACTS: Record<Remedy, string> = {
  'add-again': 'Missing at Beehiiv',
  'set-premium': 'Not on the paid list',
  'set-free': 'On the paid list without paying',
};

type DifferencesProps = { person: PersonAnswer; onDone: () => unknown };

/**
 * Lists the last comparison's differences about a person, each with its remedy. The verdict has a
 * payer's.
 */
export function Differences({ person, onDone }: DifferencesProps) {
  const [confirmedId, setConfirmedId] = useState<number>();
  const { send, isPending, isViewer } = useCall('POST /api/admin/differences/:id/remedy', {
    notice,
    onDone,
  });
  const fix = (id: number) => {
    setConfirmedId(undefined);
    void send({ params: { id } });
  };
  return (
    <>
      {person.differences
        .filter(({ id }) => id !== person.notReceiving?.differenceId)
        .map(({ id, remedy, isRequested }) => (
          <div key={id} className={styles.verdict} data-tone="pending">
            <p>
              <strong>{FACTS[remedy]}</strong> {isRequested && 'Being fixed.'}
            </p>
            {!isRequested && !isViewer && (
              <Button
                look="line"
                pending={isPending}
                pendingLabel="Asking..."
                onClick={() => (remedy === 'set-free' ? setConfirmedId(id) : fix(id))}
              >
                {LABELS[remedy]}
                {remedy === 'set-free' && '…'}
              </Button>
            )}
          </div>
        ))}
      {confirmedId !== undefined && (
        <ConfirmDialog
          title="Move to the free list?"
          person={person.lead.email}
          submit={LABELS['set-free']}
          onSubmit={() => fix(confirmedId)}
          onClose={() => setConfirmedId(undefined)}
        >
          <p className={dialog.words}>
            They no longer get the paid issue. If it was a gift from you, give them free access
            instead.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}

const ATTENTION = toUrl('GET /api/admin/attention');

type MoneyReviewProps = {
  kind: Reviewable;
  id: string;
  name: string;
  onReviewed: () => Promise<unknown>;
};

/**
 * Marks an item as reviewed. The item leaves the list, and the activity view shows the operator.
 */
export function MoneyReview({ kind, id, name, onReviewed }: MoneyReviewProps) {
  const { mutate } = useSWRConfig();
  const refresh = () => Promise.all([onReviewed(), mutate(ATTENTION)]);
  const params = { kind, id };
  // The button has disappeared by then, but its call continues.
  const undoing = useCall('DELETE /api/admin/money/:kind/:id/review', {
    notice: 'Undo failed',
    onDone: refresh,
  });
  const { send, isPending, isViewer } = useCall('POST /api/admin/money/:kind/:id/review', {
    notice: 'Review failed',
    onDone: () => {
      toasts.add({
        title: 'Reviewed',
        description: `${name}. Activity shows by whom.`,
        durationMs: FAILURE_DURATION_MS,
        onUndo: () => void undoing.send({ params }),
      });
      return refresh();
    },
  });
  if (isViewer) return null;
  return (
    <Button
      look="line"
      size="small"
      pending={isPending}
      pendingLabel="Saving..."
      aria-label={`Mark as reviewed: ${name}`}
      onClick={() => void send({ params })}
    >
      Mark as reviewed
    </Button>
  );
}
