import type { PersonAnswer } from '@site/schema/calls/people';
import type { LeadSubscription } from '@site/schema/calls/subscriptions';
import { formatPence } from '@site/schema/offer';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { Button } from '../../ui/Button.tsx';
import { Dialog, DialogTitle } from '../../ui/Dialog.tsx';
import { CorrectAddress } from './CorrectAddress.tsx';
import { ConfirmDialog } from '../shared/ConfirmDialog.tsx';
import dialogStyles from '../shared/dialog.module.css';
import { CallLink } from '../shared/LinkButton.tsx';
import { SectionHead } from '../shared/SectionHead.tsx';
import { CancelDialog } from './dialogs/CancelDialog.tsx';
import { EndAccessDialog } from './dialogs/EndAccessDialog.tsx';
import { GiveAccessDialog } from './dialogs/GiveAccessDialog.tsx';
import { RefundDialog } from './dialogs/RefundDialog.tsx';
import { ResumeDialog } from './dialogs/ResumeDialog.tsx';
import { toPerson } from '../navigation/person.ts';
import { formatDate } from '../shared/london-time.ts';
import { EraseDialog, ExportDialog } from './HeldData.tsx';
import {
  describePayment,
  isRefundable,
  isWrittenOff,
  listPayments,
  newestCharge,
} from './Payments.tsx';
import type { Payment } from './Payments.tsx';
import styles from './PersonView.module.css';
import { useInvoiceLink } from './use-invoice-link.ts';
import { canResume, isCancelled, mainOf } from './judge-money.ts';

/** The dialogs of everything that can be done about a person, of which at most one is open. */
export function usePersonDialogs(person: PersonAnswer, name: string, onDone: () => void) {
  const navigate = useNavigate();
  const { lead, subscriptions } = person;
  const subscription = mainOf(subscriptions);
  const newest = newestCharge(subscriptions);
  const { draftEmail } = useInvoiceLink();
  const [shown, setShown] = useState<(now: typeof current) => ReactNode>();
  const [erasing, setErasing] = useState<ReactNode>();
  const setOpen = (content: ReactNode) => setShown(() => () => content);
  const onClose = () => setShown(undefined);
  const dialog = { onClose, onDone };
  const current = { subscriptions, refundable: listPayments(subscriptions).filter(isRefundable) };
  /** About the one that is the main one now, also when it is not any more. */
  const ask = (
    render: (money: typeof dialog & { subscription: LeadSubscription }) => ReactNode,
  ) => {
    const id = subscription?.stripeSubscriptionId;
    setShown(() => (now: typeof current) => {
      const found = now.subscriptions.find(
        ({ stripeSubscriptionId }) => stripeSubscriptionId === id,
      );
      return found && render({ ...dialog, subscription: found });
    });
  };
  const refund = (payment: Payment) => setOpen(<RefundDialog {...dialog} {...payment} />);
  return {
    // As the subscription is by now: another window may have changed it.
    open: shown?.(current) ?? erasing,
    erasing,
    resend:
      newest &&
      !isWrittenOff(newest) &&
      (() => void draftEmail(newest.invoice, newest.subscription.email)),
    resume: () => ask((money) => <ResumeDialog {...money} />),
    cancel: () => ask((money) => <CancelDialog {...money} />),
    share: () => ask((money) => <GiveAccessDialog {...money} />),
    refund,
    choosePayment: () => {
      const [only, ...others] = current.refundable;
      if (only && others.length === 0) refund(only);
      else
        setShown(() => (now: typeof current) => (
          <ConfirmDialog
            title="Refund which payment?"
            person={lead.email}
            dismiss="Cancel"
            onClose={onClose}
          >
            <div className={dialogStyles.rows}>
              {now.refundable.map((payment) => (
                <Button key={payment.invoice.id} look="line" onClick={() => refund(payment)}>
                  <span>{`${describePayment(payment.invoice)}…`}</span>{' '}
                  <span className="nowrap">{payment.invoice.number}</span>
                </Button>
              ))}
            </div>
          </ConfirmDialog>
        ));
    },
    give: (before?: string) =>
      setOpen(
        <GiveAccessDialog
          {...dialog}
          person={{ email: lead.email, subscriptions }}
          before={before}
        />,
      ),
    endAccess: () => setOpen(<EndAccessDialog {...dialog} email={lead.email} />),
    export: () => setOpen(<ExportDialog {...dialog} email={lead.email} name={name} />),
    erase: () =>
      setErasing(
        <EraseDialog email={lead.email} name={name} onClose={() => setErasing(undefined)} />,
      ),
    correct: () =>
      setOpen(
        <Dialog open onClose={onClose} className={dialogStyles.dialog}>
          <DialogTitle className={dialogStyles.title}>Correct the address</DialogTitle>
          <p className={dialogStyles.person}>
            <bdi>{lead.email}</bdi>
          </p>
          <CorrectAddress
            lead={lead}
            pays={subscription !== undefined}
            onCancel={onClose}
            onDone={(id) => {
              onClose();
              void navigate({ search: toPerson(id) }, { replace: true });
            }}
          />
        </Dialog>,
      ),
  };
}

type PersonActionsProps = {
  person: PersonAnswer;
  dialogs: ReturnType<typeof usePersonDialogs>;
  now: Date;
};

/** Everything that can be done about a person, each with its effect beside it. */
export function PersonActions({ person, dialogs, now }: PersonActionsProps) {
  const { subscriptions, complimentary } = person;
  const hasAccess = complimentary !== null && !complimentary.isOver;
  const main = mainOf(subscriptions);
  const isRunning = main !== undefined && main.stage !== 'ended';
  const payments = listPayments(subscriptions);
  const refundable = payments.filter(isRefundable);
  const left = refundable.reduce(
    (sum, { invoice }) => sum + invoice.paidPence - invoice.refundedPence,
    0,
  );
  const ends = main?.cancelAt && formatDate(new Date(main.cancelAt));
  return (
    <section aria-label="Actions">
      <SectionHead title="Actions" />
      <ul className={styles.actions}>
        <Action name="Correct the address…" onClick={dialogs.correct}>
          A typo: moves everything to the right one{main && ', here and at Stripe'}
        </Action>
        {isRunning && (
          <Action name="Let somebody else read it…" onClick={dialogs.share}>
            Another address gets the paid issue as long as this subscription runs
          </Action>
        )}
        {dialogs.resend && (
          <Action name="Resend invoice link…" onClick={dialogs.resend}>
            Opens an email draft with the link of{' '}
            {newestCharge(subscriptions)?.invoice.number ?? 'the latest invoice'}; nothing is sent
            from here
          </Action>
        )}
        {(refundable.length > 0 || payments.some(({ invoice }) => invoice.dispute)) && (
          <Action
            name="Refund…"
            onClick={refundable.length > 0 ? dialogs.choosePayment : undefined}
          >
            {refundable.length === 0
              ? 'Stripe refuses to refund a disputed payment'
              : `${refundable.length > 1 ? 'Choose a payment; up' : 'Up'} to ${formatPence(left, true)} in all`}
          </Action>
        )}
        {main && canResume(main, now) && (
          <Action name="Undo cancellation…" onClick={dialogs.resume}>
            {`The subscription continues, and is charged ${main.firstPaidAt === null && main.stage === 'ending' ? 'when the trial ends' : 'again'}`}
          </Action>
        )}
        {isRunning && (
          // Nor does that of another subscription, once this one is cancelled.
          <Action
            key={main.stripeSubscriptionId}
            name={isCancelled(main) ? 'End now…' : 'Cancel…'}
            onClick={dialogs.cancel}
          >
            {isCancelled(main)
              ? `Ends ${main.other ? 'it' : 'access'} today instead of ${ends}`
              : `Now, or at the end of the ${main.stage === 'trial' ? 'trial' : main.firstPaidAt === null || main.stage === 'dunning' ? 'period' : 'paid period'}`}
          </Action>
        )}
        <Action
          name={hasAccess ? 'Change free access…' : 'Give access…'}
          onClick={() => dialogs.give((hasAccess && complimentary.until) || undefined)}
        >
          The paid issue without payment, until {hasAccess ? 'another date' : 'a date you set'}
        </Action>
        {hasAccess && (
          <Action name="End free access…" onClick={dialogs.endAccess}>
            Moves them to the free list, unless they pay
          </Action>
        )}
        <Action name="Export…" onClick={dialogs.export}>
          One file with everything held about this person
        </Action>
        <Action name="Erase…" onClick={isRunning ? undefined : dialogs.erase}>
          {isRunning
            ? `Not while a subscription is live. ${ends ? `Possible from ${ends}` : 'Cancel it first'}`
            : 'Here at once, and at Beehiiv once it confirms'}
        </Action>
      </ul>
    </section>
  );
}

function Action({
  name,
  onClick,
  children,
}: {
  name: string;
  onClick: (() => void) | undefined;
  children: ReactNode;
}) {
  return (
    <li>
      {/* Another action in its place does not get its focus. */}
      <CallLink key={name} aria-disabled={onClick === undefined || undefined} onClick={onClick}>
        {name}
      </CallLink>
      <small>{children}</small>
    </li>
  );
}
