import type { CallAnswer } from '@site/schema/calls/calls';
import {
  intervalOf,
  OFFER,
  orderPricePence,
  ORDERED_PLANS,
  UPSELL_PLANS,
} from '@site/schema/offer';
import type { OrderedPlan } from '@site/schema/offer';
import { useState } from 'react';
import { siteSettings } from '../../../site-settings.ts';
import { Button } from '../../../ui/Button.tsx';
import { useIsViewer } from '../../session/session.ts';
import { useCall } from '../../session/use-call.ts';
import { Choices } from '../../shared/Choices.tsx';
import { ConfirmDialog } from '../../shared/ConfirmDialog.tsx';
import styles from '../../shared/dialog.module.css';
import { copyText, lineButton, LinkButton } from '../../shared/fields.tsx';
import { formatMoment } from '../../shared/format.ts';
import { useNow } from '../../shared/use-now.ts';
import { writeLinkEmail } from '../checkout-email.ts';
import { toPriceText } from '../labels.ts';

type PaymentLinkDialogProps = {
  email: string;
  name: string | null;
  onClose: () => void;
  onDone: () => unknown;
};

type PaymentLinkButtonProps = Omit<PaymentLinkDialogProps, 'email' | 'onClose'> & {
  email: string | null;
  className?: string | undefined;
};

/** Opens the dialog from a list. Renders nothing for a viewer, or without an email. */
export function PaymentLinkButton({ email, className, ...about }: PaymentLinkButtonProps) {
  const [isOpen, setOpen] = useState(false);
  if (useIsViewer() || email === null) return null;
  return (
    <>
      <LinkButton
        className={className}
        aria-label={`Payment link for ${about.name ?? email}`}
        onClick={() => setOpen(true)}
      >
        Payment link…
      </LinkButton>
      {isOpen && <PaymentLinkDialog {...about} email={email} onClose={() => setOpen(false)} />}
    </>
  );
}

/** Asks for the offer, then shows the link to Stripe's page and when it ends. */
export function PaymentLinkDialog({ email, name, onClose, onDone }: PaymentLinkDialogProps) {
  const { offerPhase } = siteSettings();
  const now = useNow(false);
  const [plan, setPlan] = useState<OrderedPlan>('monthly');
  const [link, setLink] = useState<CallAnswer<'POST /api/admin/people/payment-link'>>();
  const { send, failure, isPending } = useCall('POST /api/admin/people/payment-link', {
    onDone(made) {
      setLink(made);
      return onDone();
    },
  });
  const toText = (of: OrderedPlan) =>
    `${toPriceText(intervalOf(of), orderPricePence(offerPhase, of))} after ${OFFER.trialDays} days`;
  const offer = UPSELL_PLANS.find((each) => each === plan);
  const body = { email, plan: intervalOf(plan), ...(offer && { offer }) };
  return (
    <ConfirmDialog
      title="Payment link"
      person={email}
      submit={link ? undefined : 'Make the link'}
      isPending={isPending}
      failure={failure}
      onSubmit={() => void send({ body })}
      onClose={onClose}
    >
      {link ? (
        <>
          <output className={styles.words}>
            {toText(plan)}. The link works until {formatMoment(new Date(link.endsAt), now)}.
          </output>
          <div className={styles.actions}>
            <Button onClick={() => void copyText(link.url, 'Send it to them.')}>Copy link</Button>
            <a className={lineButton} href={toMailto(email, writeLinkEmail(name, link))}>
              Open as an email
            </a>
          </div>
        </>
      ) : (
        <>
          <p className={styles.words}>
            Opens Stripe’s page for them. The link works for a day at most. Nothing is sent.
          </p>
          <Choices
            legend="Offer"
            choices={ORDERED_PLANS.map((of) => [of, toText(of)] as const)}
            chosen={plan}
            onChoose={setPlan}
          />
        </>
      )}
    </ConfirmDialog>
  );
}

function toMailto(email: string, text: string): string {
  const [subject = '', ...lines] = text.split('\n\n');
  const parts = { subject, body: lines.join('\r\n\r\n') };
  const query = Object.entries(parts).map(([key, text]) => `${key}=${encodeURIComponent(text)}`);
  return `mailto:${encodeURIComponent(email)}?${query.join('&')}`;
}
