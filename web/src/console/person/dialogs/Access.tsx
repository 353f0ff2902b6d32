import { endOfLondonDay, londonDate } from '@site/schema/calendar';
import { MAX_FREE_TEXT } from '@site/schema/calls/people';
import type { FreeAccess, LeadSubscription } from '@site/schema/calls/subscriptions';
import { useState } from 'react';
import { TextField } from '../../../ui/Field.tsx';
import { toasts } from '../../../ui/toast-store.ts';
import { useCall } from '../../session/use-call.ts';
import { ConfirmDialog } from '../../shared/ConfirmDialog.tsx';
import styles from '../../shared/dialog.module.css';
import { EmailField } from '../../shared/fields.tsx';
import { formatDate } from '../../shared/format.ts';
import { useNow } from '../../shared/use-now.ts';
import { toRateText } from '../labels.ts';

type GiveAccessDialogProps = {
  person?: { email: string; subscriptions: readonly LeadSubscription[] };
  /** The subscription for whose duration a reader gets access. */
  subscription?: LeadSubscription;
  /** The access that they already have. */
  before?: Pick<FreeAccess, 'until' | 'name' | 'reason'> | undefined;
  onClose: () => void;
  onDone: () => void;
};

/** Asks for the recipient and the end of free access. */
export function GiveAccessDialog({
  person,
  subscription,
  before,
  onClose,
  onDone,
}: GiveAccessDialogProps) {
  const personEmail = person?.email;
  const [email, setEmail] = useState(personEmail ?? '');
  const [until, setUntil] = useState(before?.until ? londonDate(new Date(before.until)) : '');
  const [name, setName] = useState(before?.name ?? '');
  const [reason, setReason] = useState(before?.reason ?? '');
  const [isAsked, setAsked] = useState(false);
  const now = useNow(false);
  const { send, failure, isPending } = useCall('POST /api/admin/people/free-access', {
    onDone(given) {
      onDone();
      onClose();
      const ends = given.until ? `, until ${formatDate(new Date(given.until))}` : '';
      const payment = given.subscriptions.length > 0 ? '. They go on paying.' : '';
      toasts.add({
        title: `Free access ${before ? 'changed' : 'given'}`,
        description: given.email + ends + payment,
      });
    },
  });
  // A past date would end the access.
  const isAhead = subscription !== undefined || (until !== '' && endOfLondonDay(until) > now);
  const isGiven = /\S@\S/.test(email);
  const submit = () => {
    setAsked(true);
    if (!isAhead || !isGiven) return undefined;
    return send({
      body: {
        email,
        ...(subscription ? { withSubscription: subscription.stripeSubscriptionId } : { until }),
        name,
        reason,
      },
    });
  };
  const running = person?.subscriptions.find(
    ({ stage }) => !['ending', 'ended', 'incomplete'].includes(stage),
  );
  return (
    <ConfirmDialog
      title={
        subscription
          ? 'Let somebody else read it?'
          : before
            ? 'Change free access?'
            : 'Give free access?'
      }
      {...(personEmail !== undefined && { person: personEmail, failure })}
      submit={before ? 'Change the access' : 'Give access'}
      isPending={isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className={styles.words}>
        They are on the paid list{' '}
        {subscription ? 'as long as this subscription runs' : 'until the end of that day'}. If they
        have unsubscribed, they stay unsubscribed.
        {!person && !subscription && ' If they already pay, they go on paying.'}
        {running && ` They go on paying ${toRateText(running)}: cancel that if they should not.`}
      </p>
      {personEmail === undefined && (
        <EmailField
          label="Email"
          value={email}
          error={isAsked && !isGiven ? 'Enter an email.' : failure}
          onChange={setEmail}
        />
      )}
      <FreeText label="Name (optional)" value={name} onChange={setName} />
      <FreeText label="Reason (optional)" value={reason} onChange={setReason} />
      {!subscription && (
        <TextField
          label="Until the end of"
          type="date"
          value={until}
          error={isAsked && !isAhead ? 'Enter a date in the future.' : undefined}
          onChange={(event) => setUntil(event.target.value)}
        />
      )}
    </ConfirmDialog>
  );
}

type FreeTextProps = { label: string; value: string; onChange: (text: string) => void };

function FreeText({ onChange, ...field }: FreeTextProps) {
  return (
    <TextField
      maxLength={MAX_FREE_TEXT}
      autoComplete="off"
      onChange={(event) => onChange(event.target.value)}
      {...field}
    />
  );
}

type EndAccessDialogProps = { email: string; onClose: () => void; onDone: () => void };

/** Asks for confirmation before free access ends early. */
export function EndAccessDialog({ email, onClose, onDone }: EndAccessDialogProps) {
  const { send, failure, isPending } = useCall('POST /api/admin/people/free-access', {
    onDone(ended) {
      onClose();
      onDone();
      toasts.add({ title: 'Free access ended', description: ended.email });
    },
  });
  return (
    <ConfirmDialog
      title="End free access?"
      person={email}
      submit="End access"
      isPending={isPending}
      failure={failure}
      onSubmit={() => void send({ body: { email, until: new Date().toISOString() } })}
      onClose={onClose}
    >
      <p className={styles.words}>Beehiiv will move them to the free list, unless they pay.</p>
    </ConfirmDialog>
  );
}
