import type { PersonAnswer } from '@site/schema/calls/people';
import type { PayerRemedy } from '@site/schema/money';
import { Button } from '../../ui/Button.tsx';
import { useCall } from '../session/use-call.ts';
import { copyText } from '../shared/fields.tsx';

/** What puts a payer right who does not receive. Null: it happens automatically. */
const LABELS: Record<PayerRemedy, string | null> = {
  'send-lead': 'Send their lead',
  'correct-address': 'Correct the address…',
  'add-again': 'Add again',
  'set-premium': 'Move to the paid list',
  compare: 'Compare with Beehiiv',
  'ask-them': 'Copy email text',
  'add-address': null,
  wait: null,
};

const failure = 'The request failed';

type PayerRemedyButtonProps = {
  payer: NonNullable<PersonAnswer['notReceiving']>;
  onCorrect: () => void;
  onDone: () => unknown;
};

/** Puts right that somebody who pays does not receive. */
export function PayerRemedyButton({ payer, onCorrect, onDone }: PayerRemedyButtonProps) {
  const { email, leadId, differenceId, remedy } = payer;
  const retry = useCall('POST /api/admin/leads/retry', { failure, onDone });
  const putRight = useCall('POST /api/admin/differences/:id/remedy', { failure, onDone });
  const compare = useCall('POST /api/admin/differences/compare', { failure, onDone });
  const label = LABELS[remedy];
  if (label === null) return null;
  const act = () => {
    if (remedy === 'correct-address') onCorrect();
    else if (remedy === 'ask-them' && email !== null)
      void copyText(describeForm(email), 'Paste it into an email to them.');
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

const describeForm = (email: string) =>
  `You pay for our newsletter, but ${email} is not subscribed to it at the moment, so it cannot reach you. To receive it again, please fill in this form with the same address. You will not be charged again: ${window.location.origin}/subscribe`;
