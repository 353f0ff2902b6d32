import type { PersonAnswer } from '@site/schema/calls/people';
import { formatMoney } from '@site/schema/currency';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router-dom';
import { needsCorrection, shownStatus } from '../lead/lead-labels.ts';
import { DeleteQuarantined } from '../retry/DeleteQuarantined.tsx';
import { LinkButton } from '../shared/fields.tsx';
import { formatDate } from '../shared/format.ts';
import { SectionHead } from '../shared/heads.tsx';
import { CorrectAddress } from './CorrectAddress.tsx';
import { EndAccessDialog, GiveAccessDialog } from './dialogs/Access.tsx';
import { CancelDialog, ResumeDialog } from './dialogs/Cancel.tsx';
import { RefundDialog } from './dialogs/RefundDialog.tsx';
import { EraseDialog, ExportDialog } from './HeldData.tsx';
import { isRefundable, isWrittenOff, listPayments, newestCharge } from './Payments.tsx';
import styles from './Person.module.css';
import { useInvoiceLink } from './use-invoice-link.ts';
import { canResume, isCancelled, mainOf, paidBy } from './verdict.ts';

/** The dialog that is open, and which subscription or invoice it is about, if not the main one. */
export type Open = {
  what:
    | 'correct'
    | 'cancel'
    | 'resume'
    | 'refund'
    | 'give'
    | 'share'
    | 'end'
    | 'export'
    | 'erase'
    | 'delete';
  of?: string;
};

type ActionsProps = { person: PersonAnswer; now: Date; onOpen: (open: Open) => void };

/** Everything that can be done about a person, each with its effect beside it. */
export function Actions({ person, now, onOpen }: ActionsProps) {
  const { lead, complimentary } = person;
  const { draftEmail } = useInvoiceLink();
  const subscriptions = paidBy(lead.email, person.subscriptions);
  const main = mainOf(subscriptions);
  const isRunning = main !== undefined && main.stage !== 'ended';
  const hasAccess = complimentary !== null && !complimentary.isOver;
  const [refundable] = listPayments(subscriptions).filter(isRefundable);
  const newest = newestCharge(subscriptions);
  const ends = main?.cancelAt && formatDate(new Date(main.cancelAt));
  return (
    <section aria-label="Actions">
      <SectionHead title="Actions" />
      <ul className={styles.actions}>
        {/* Of a refused address it is the remedy above. */}
        {!needsCorrection(lead) && (
          <Action name="Correct the address…" onClick={() => onOpen({ what: 'correct' })}>
            A typo: moves what is theirs to the right one{main && ', here and at Stripe'}
          </Action>
        )}
        {shownStatus(lead) === 'quarantined' && (
          <Action name="Delete…" onClick={() => onOpen({ what: 'delete' })}>
            This lead alone; it looks automated
          </Action>
        )}
        {newest && !isWrittenOff(newest) && (
          <Action
            name="Resend invoice link…"
            onClick={() => void draftEmail(newest.invoice, newest.subscription.email)}
          >
            Opens an email draft with the link of {newest.invoice.number ?? 'the latest invoice'}
          </Action>
        )}
        {refundable && (
          <Action
            name="Refund…"
            onClick={() => onOpen({ what: 'refund', of: refundable.invoice.id })}
          >
            Up to{' '}
            {formatMoney(
              refundable.invoice.paidPence - refundable.invoice.refundedPence,
              refundable.invoice.currency,
            )}{' '}
            of the newest payment
          </Action>
        )}
        {main && canResume(main, now) && (
          <Action name="Undo cancellation…" onClick={() => onOpen({ what: 'resume' })}>
            The subscription continues, and is charged
          </Action>
        )}
        {isRunning && (
          <>
            <Action
              name={isCancelled(main) ? 'End now…' : 'Cancel…'}
              onClick={() => onOpen({ what: 'cancel' })}
            >
              {ends ? `Today instead of ${ends}` : 'Now, or at the end of the period'}
            </Action>
            <Action name="Let somebody else read it…" onClick={() => onOpen({ what: 'share' })}>
              Another address gets the paid issue as long as this subscription runs
            </Action>
          </>
        )}
        <Action
          name={hasAccess ? 'Change free access…' : 'Give access…'}
          onClick={() => onOpen({ what: 'give' })}
        >
          The paid issue without payment, until {hasAccess ? 'another date' : 'a date you set'}
        </Action>
        {hasAccess && (
          <Action name="End free access…" onClick={() => onOpen({ what: 'end' })}>
            Moves them to the free list, unless they pay
          </Action>
        )}
        <Action name="Export…" onClick={() => onOpen({ what: 'export' })}>
          One file with everything held about this person
        </Action>
        <Action name="Erase…" onClick={isRunning ? undefined : () => onOpen({ what: 'erase' })}>
          {isRunning
            ? `Not while a subscription is live. ${ends ? `Possible from ${ends}` : 'Cancel it first'}`
            : 'Here at once, and at Beehiiv once it confirms'}
        </Action>
      </ul>
    </section>
  );
}

type ActionProps = { name: string; onClick: (() => void) | undefined; children: ReactNode };

function Action({ name, onClick, children }: ActionProps) {
  return (
    <li>
      <LinkButton aria-disabled={onClick === undefined || undefined} onClick={onClick}>
        {name}
      </LinkButton>
      <small>{children}</small>
    </li>
  );
}

type OpenDialogProps = {
  open: Open;
  person: PersonAnswer;
  name: string;
  /** The query of a link to another lead of the person. */
  linkTo: (leadId: string) => string;
  onClose: () => void;
  onDone: () => void;
};

/** The dialog that an action or a payment has opened. */
export function OpenDialog({ open, person, name, linkTo, ...dialog }: OpenDialogProps) {
  const navigate = useNavigate();
  const { lead, complimentary } = person;
  const { email } = lead;
  const subscriptions = paidBy(email, person.subscriptions);
  const subscription =
    subscriptions.find(({ stripeSubscriptionId: id }) => id === open.of) ?? mainOf(subscriptions);
  const payment = listPayments(subscriptions).find(({ invoice }) => invoice.id === open.of);
  switch (open.what) {
    case 'correct':
      return (
        <CorrectAddress
          {...dialog}
          lead={lead}
          pays={subscription !== undefined}
          onCorrected={(id) => void navigate({ search: linkTo(id) }, { replace: true })}
        />
      );
    case 'cancel':
      return subscription && <CancelDialog {...dialog} subscription={subscription} />;
    case 'resume':
      return subscription && <ResumeDialog {...dialog} subscription={subscription} />;
    case 'refund':
      return payment && <RefundDialog {...dialog} {...payment} />;
    case 'give':
      return (
        <GiveAccessDialog
          {...dialog}
          person={{ email, subscriptions }}
          before={(complimentary && !complimentary.isOver && complimentary.until) || undefined}
        />
      );
    case 'share':
      return subscription && <GiveAccessDialog {...dialog} subscription={subscription} />;
    case 'end':
      return <EndAccessDialog {...dialog} email={email} />;
    case 'export':
      return <ExportDialog {...dialog} email={email} name={name} />;
    case 'erase':
      return <EraseDialog {...dialog} email={email} name={name} />;
    case 'delete':
      return (
        <DeleteQuarantined
          choice={{ ids: [lead.id] }}
          count={1}
          person={email}
          onClose={dialog.onClose}
          onDeleted={dialog.onDone}
        />
      );
  }
}
