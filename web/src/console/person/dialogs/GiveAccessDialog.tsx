import type { LeadSubscription } from '@site/schema/calls/subscriptions';
import { endOfLondonDay, londonDate } from '@site/schema/calendar';
import { useState } from 'react';
import { TextField } from '../../../ui/Field.tsx';
import { toasts } from '../../../ui/toast-store.ts';
import { ConfirmDialog } from '../../shared/ConfirmDialog.tsx';
import styles from '../../shared/dialog.module.css';
import { EmailField } from '../../shared/EmailField.tsx';
import { useCall } from '../../session/use-call.ts';
import { formatDated } from '../../shared/london-time.ts';
import { describeRate } from '../money-labels.ts';

type GiveAccessDialogProps = {
  person?: { email: string; subscriptions: readonly LeadSubscription[] };
  /** Whose reader gets it, for as long as it runs. */
  subscription?: LeadSubscription;
  /** Until when they have it already. */
  before?: string | undefined;
  onClose: () => void;
  onDone: () => void;
};

/** Asks who gets complimentary access, and until when. */
export function GiveAccessDialog({
  person,
  subscription,
  before,
  onClose,
  onDone,
}: GiveAccessDialogProps) {
  const known = person?.email;
  const [email, setEmail] = useState(known ?? '');
  const [until, setUntil] = useState(before ? londonDate(new Date(before)) : '');
  const [faults, setFaults] = useState<{ email?: string | undefined; until?: string | undefined }>(
    {},
  );
  const { send, fault, isPending } = useCall('POST /api/admin/people/complimentary', {
    onDone(given) {
      onDone();
      onClose();
      const also =
        given.subscriptions.length > 0 ? ' Their subscription continues, and is charged.' : '';
      toasts.add({
        title: `Free access ${before ? 'changed' : 'given'}`,
        description:
          given.until === null
            ? given.email
            : `${given.email}, until ${formatDated(new Date(given.until))}.${also}`,
      });
    },
  });
  const submit = () => {
    // A date that has passed would end it.
    const isAhead = subscription || (until !== '' && endOfLondonDay(until) > new Date());
    const isGiven = /\S@\S/.test(email);
    setFaults({
      email: isGiven ? undefined : 'Enter an email address.',
      until: isAhead ? undefined : 'Enter a date in the future.',
    });
    if (!isAhead || !isGiven) return undefined;
    return send({
      body: subscription
        ? { email, withSubscription: subscription.stripeSubscriptionId }
        : { email, until },
    });
  };
  return (
    <ConfirmDialog
      title={before ? 'Change free access?' : 'Give free access?'}
      {...(known !== undefined && { person: known, fault })}
      submit={before ? 'Change the date' : 'Give access'}
      isPending={isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className={styles.words}>
        {before ? 'They stay' : 'Beehiiv will put the address'} on the paid list{' '}
        {subscription
          ? 'as long as this subscription runs. The payer goes on paying'
          : 'until the end of that day'}
        {before && ', instead of the date set before'}. If they have unsubscribed, they stay
        unsubscribed.
      </p>
      {!subscription && <p className={styles.words}>{describeCharges(person)}</p>}
      {known === undefined && (
        <EmailField
          label="Email address"
          value={email}
          error={faults.email ?? fault}
          onChange={setEmail}
        />
      )}
      {!subscription && (
        <TextField
          label="Until the end of"
          type="date"
          value={until}
          error={faults.until}
          onChange={(event) => setUntil(event.target.value)}
        />
      )}
    </ConfirmDialog>
  );
}

/** Says what else is charged. Who pays is not known before the address is entered. */
function describeCharges(person: GiveAccessDialogProps['person']): string {
  if (!person) return 'Nothing is charged for it. If they already pay, they go on paying.';
  const running = person.subscriptions.find(
    ({ stage }) => !['ending', 'ended', 'incomplete'].includes(stage),
  );
  if (!running) return 'Nothing is charged for it.';
  const { stage, isCollectionPaused } = running;
  const rate = describeRate(running);
  if (!isCollectionPaused && stage === 'paying')
    return `They already pay ${rate} and go on paying. Cancel the subscription first if they should not.`;
  if (!isCollectionPaused && stage === 'trial')
    return `They will pay ${rate} after their trial. Cancel the subscription first if they should not.`;
  return `They have a subscription at ${rate}, which continues. Cancel it first if it should not.`;
}
