import type { PersonAnswer } from '@site/schema/calls/people';
import type { PayerRemedy } from '@site/schema/money';
import { useState } from 'react';
import { CallButton } from '../shared/CallButton.tsx';
import { useApiData } from '../api/use-api-data.ts';
import { copyText } from '../shared/copy-text.ts';
import { useCall } from '../session/use-call.ts';
import { AddressDialog } from './dialogs/AddressDialog.tsx';

type Payer = Omit<NonNullable<PersonAnswer['notReceiving']>, 'reason' | 'since'>;
type PayerRemedyButtonProps = { payer: Payer; look?: 'solid' | 'line'; onDone: () => unknown };

/** What puts a payer right who does not receive. Null: it happens automatically. */
const PAYER_REMEDY_LABELS: Record<PayerRemedy, string | null> = {
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

/** Puts right that somebody who pays does not receive. */
export function PayerRemedyButton({ payer, look = 'line', onDone }: PayerRemedyButtonProps) {
  const { email, stripeSubscriptionId, leadId, differenceId, remedy } = payer;
  const [isCorrecting, setCorrecting] = useState(false);
  const retry = useCall('POST /api/admin/leads/retry', { failure, onDone });
  const putRight = useCall('POST /api/admin/differences/:id/remedy', { failure, onDone });
  const compare = useCall('POST /api/admin/differences/compare', { failure, onDone });
  const id = isCorrecting ? { params: { id: stripeSubscriptionId } } : null;
  const { data: subscription } = useApiData('GET /api/admin/subscriptions/:id', id);
  const label = PAYER_REMEDY_LABELS[remedy];
  if (label === null) return null;
  const act = () => {
    if (remedy === 'correct-address') setCorrecting(true);
    else if (remedy === 'ask-them' && email !== null)
      void copyText(describeForm(email), 'Paste it into an email to them.');
    else if (remedy === 'compare') void compare.send();
    else if (remedy === 'send-lead' && leadId !== null)
      void retry.send({ body: { ids: [leadId] } });
    else if (differenceId !== null) void putRight.send({ params: { id: differenceId } });
  };
  return (
    <>
      <CallButton
        look={look}
        size={look === 'line' ? 'small' : 'control'}
        pending={retry.isPending || putRight.isPending || compare.isPending}
        pendingLabel="Asking..."
        aria-label={`${label.replace('…', '')}: ${email}`}
        onClick={act}
      >
        {label}
      </CallButton>
      {isCorrecting && subscription && email !== null && (
        <AddressDialog
          person={{ email, leadId }}
          subscription={subscription}
          onClose={() => setCorrecting(false)}
          onDone={() => void onDone()}
        />
      )}
    </>
  );
}

const describeForm = (email: string) =>
  `You pay for our newsletter, but ${email} is not subscribed to it at the moment, so it cannot reach you. To receive it again, please fill in this form with the same address. You will not be charged again: ${window.location.origin}/subscribe`;
