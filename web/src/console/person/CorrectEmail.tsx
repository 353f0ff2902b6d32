import type { CallAnswer } from '@site/schema/calls/calls';
import type { Lead } from '@site/schema/lead';
import { useState } from 'react';
import { suggestEmail } from '../../subscribe/email-hint.ts';
import { toasts } from '../../ui/toast-store.ts';
import { useCall } from '../session/use-call.ts';
import { ConfirmDialog } from '../shared/ConfirmDialog.tsx';
import dialogStyles from '../shared/dialog.module.css';
import { EmailField, LinkButton } from '../shared/fields.tsx';

type CorrectedLead = CallAnswer<'POST /api/admin/leads/:id/correct'>;
type CorrectEmailProps = {
  lead: Lead;
  pays: boolean;
  onCorrected: (newLeadId: string) => void;
  onClose: () => void;
};

/** Creates a new lead with the correct email. The old lead is kept and not retried. */
export function CorrectEmail({ lead, pays, onCorrected, onClose }: CorrectEmailProps) {
  const [email, setEmail] = useState(() => suggestEmail(lead.email) ?? lead.email);
  const meant = suggestEmail(email);
  const [corrected, setCorrected] = useState<CorrectedLead>();
  const finish = ({ id }: CorrectedLead) => {
    toasts.add({ title: 'Email corrected' });
    onClose();
    onCorrected(id);
  };
  const { send, failure, isPending, reset } = useCall('POST /api/admin/leads/:id/correct', {
    onDone: (answer) => (answer.stayed.length > 0 ? setCorrected(answer) : finish(answer)),
  });
  const change = (typed: string) => {
    setEmail(typed);
    reset();
  };
  const moving = useCall('POST /api/admin/subscriptions/:id/email', { notice: 'Not moved' });
  if (corrected) {
    const names = corrected.stayed.map((each) => each.name ?? each.stripeSubscriptionId).join(', ');
    const move = async () => {
      for (const { stripeSubscriptionId: id } of corrected.stayed)
        if (!(await moving.send({ params: { id }, body: { email } }))) return;
      finish(corrected);
    };
    return (
      <ConfirmDialog
        title="The email is corrected"
        submit="Move it too"
        dismiss="Leave it"
        isPending={moving.isPending}
        onSubmit={() => void move()}
        onClose={() => finish(corrected)}
      >
        <p className={dialogStyles.words}>
          What {names} pays for stays with <bdi>{corrected.stayed[0]?.email}</bdi>.
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
        The mistyped email stays on record
        {lead.beehiivStatus === 'sent'
          ? ' and is unsubscribed unless somebody else has it'
          : ', marked Corrected'}
        . A copy with this email
        {lead.consentTimestamp !== null && ' and the same consent'} is sent to Beehiiv.
        {pays && ' Subscriptions and payments move too, here and at Stripe.'}
      </p>
    </ConfirmDialog>
  );
}
