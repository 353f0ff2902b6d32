import type { CallAnswer } from '@site/schema/calls/calls';
import type { Lead } from '@site/schema/lead';
import { useState } from 'react';
import { suggestEmail } from '../../subscribe/email-hint.ts';
import { toasts } from '../../ui/toast-store.ts';
import { useCall } from '../session/use-call.ts';
import { ConfirmDialog } from '../shared/ConfirmDialog.tsx';
import dialogStyles from '../shared/dialog.module.css';
import { EmailField, LinkButton } from '../shared/fields.tsx';

type Stayed = CallAnswer<'POST /api/admin/leads/:id/correct'>['stayed'];
type CorrectEmailProps = {
  lead: Lead;
  pays: boolean;
  onClose: () => void;
  onDone: () => void;
};

/** Moves a lead to the correct email, where it is sent to Beehiiv. */
export function CorrectEmail({ lead, pays, onClose, onDone }: CorrectEmailProps) {
  const [email, setEmail] = useState(() => suggestEmail(lead.email) ?? lead.email);
  const meant = suggestEmail(email);
  const [stayed, setStayed] = useState<Stayed>();
  const finish = () => {
    toasts.add({ title: 'Email corrected' });
    onClose();
    onDone();
  };
  const { send, failure, isPending, reset } = useCall('POST /api/admin/leads/:id/correct', {
    onDone: (answer) => (answer.stayed.length > 0 ? setStayed(answer.stayed) : finish()),
  });
  const change = (typed: string) => {
    setEmail(typed);
    reset();
  };
  const moving = useCall('POST /api/admin/subscriptions/:id/email', { notice: 'Not moved' });
  if (stayed) {
    const names = stayed.map((each) => each.name ?? each.stripeSubscriptionId).join(', ');
    const move = async () => {
      for (const { stripeSubscriptionId: id } of stayed)
        if (!(await moving.send({ params: { id }, body: { email } }))) return;
      finish();
    };
    return (
      <ConfirmDialog
        title="The email is corrected"
        submit="Move it too"
        dismiss="Leave it"
        isPending={moving.isPending}
        onSubmit={() => void move()}
        onClose={finish}
      >
        <p className={dialogStyles.words}>
          What {names} pays for stays with <bdi>{stayed[0]?.email}</bdi>.
        </p>
      </ConfirmDialog>
    );
  }
  return (
    <ConfirmDialog
      title="Correct the email"
      person={lead.email}
      submit="Correct the email"
      isPending={isPending}
      onSubmit={async () => send({ params: { id: lead.id }, body: { email } })}
      onClose={onClose}
    >
      <EmailField
        label="Correct email"
        value={email}
        error={failure}
        hint={
          meant && (
            <span>
              Did you mean <LinkButton onClick={() => change(meant)}>{meant}</LinkButton>?
            </span>
          )
        }
        onChange={change}
      />
      <p className={dialogStyles.words}>
        The lead moves to this email
        {lead.consentTimestamp !== null && ' with its consent'} and is sent to Beehiiv.
        {pays && ' Subscriptions and payments move too, here and at Stripe.'} The mistyped email
        stays in the timeline
        {lead.beehiivStatus === 'sent' && ' and is unsubscribed unless somebody else has it'}.
      </p>
    </ConfirmDialog>
  );
}
