import type { PersonAnswer } from '@site/schema/calls/people';
import { needsCorrection, shownStatus } from '@site/schema/labels';
import { DeleteQuarantined } from '../retry/DeleteQuarantined.tsx';
import { LinkButton } from '../shared/fields.tsx';
import { formatDate } from '../shared/format.ts';
import { SectionHead } from '../shared/heads.tsx';
import { CorrectEmail } from './CorrectEmail.tsx';
import { EndAccessDialog, GiveAccessDialog } from './dialogs/Access.tsx';
import { CancelDialog, ResumeDialog } from './dialogs/Cancel.tsx';
import { PaymentLinkDialog } from './dialogs/PaymentLink.tsx';
import { RefundDialog } from './dialogs/RefundDialog.tsx';
import { EraseDialog, ExportDialog } from './HeldData.tsx';
import { listPayments } from './Payments.tsx';
import styles from './Person.module.css';
import { canResume, isCancelled, mainOf, paidBy } from './verdict.ts';

/** The open dialog, and its subscription or invoice, if not the main one. */
export type Open = {
  what:
    | 'correct'
    | 'cancel'
    | 'resume'
    | 'refund'
    | 'link'
    | 'give'
    | 'share'
    | 'end'
    | 'export'
    | 'erase'
    | 'delete';
  of?: string;
};

type Action = Open & { name: string; effect: string; isRefused?: boolean };
type ActionsProps = { person: PersonAnswer; now: Date; onOpen: (open: Open) => void };

/** Lists all actions for a person, each with its effect beside it. */
export function Actions({ person, now, onOpen }: ActionsProps) {
  return (
    <section aria-label="Actions">
      <SectionHead title="Actions" />
      <ul className={styles.actions}>
        {listActions(person, now).map(({ name, effect, isRefused, ...open }) => (
          <li key={name}>
            <LinkButton
              aria-disabled={isRefused || undefined}
              onClick={() => !isRefused && onOpen(open)}
            >
              {name}
            </LinkButton>
            <small>{effect}</small>
          </li>
        ))}
      </ul>
    </section>
  );
}

function listActions(person: PersonAnswer, now: Date): Action[] {
  const { lead, freeAccess } = person;
  const main = mainOf(person);
  const isRunning = main !== undefined && main.stage !== 'ended';
  const hasAccess = freeAccess !== null && !freeAccess.isOver;
  const ends = main?.cancelAt && formatDate(new Date(main.cancelAt));
  const actions: (Action | false | undefined)[] = [
    // For a refused email, the remedy above corrects it.
    !needsCorrection(lead) && {
      what: 'correct',
      name: 'Correct the email…',
      effect: `A typo: moves what is theirs to the right one${main ? ', here and at Stripe' : ''}`,
    },
    shownStatus(lead) === 'quarantined' && {
      what: 'delete',
      name: 'Delete…',
      effect: 'This lead alone; it looks automated',
    },
    main &&
      canResume(main, now) && {
        what: 'resume',
        name: 'Undo cancellation…',
        effect: 'The subscription continues, and is charged',
      },
    isRunning && {
      what: 'cancel',
      name: isCancelled(main) ? 'End now…' : 'Cancel…',
      effect: ends ? `Today instead of ${ends}` : 'Now, or at the end of the period',
    },
    isRunning && {
      what: 'share',
      name: 'Let somebody else read it…',
      effect: 'Somebody else gets the paid issue as long as this subscription runs',
    },
    (!isRunning || main.stage === 'incomplete') && {
      what: 'link',
      name: 'Payment link…',
      effect: 'Stripe’s page for them, to send to them; works for a day at most',
    },
    {
      what: 'give',
      name: hasAccess ? 'Change free access…' : 'Give access…',
      effect:
        'The paid issue without payment, until ' + (hasAccess ? 'another date' : 'a date you set'),
    },
    hasAccess && {
      what: 'end',
      name: 'End free access…',
      effect: 'Moves them to the free list, unless they pay',
    },
    {
      what: 'export',
      name: 'Export…',
      effect: 'One file with everything held about this person',
    },
    {
      what: 'erase',
      name: 'Erase…',
      isRefused: isRunning,
      effect: isRunning
        ? `Not while a subscription is live. ${ends ? `Possible from ${ends}` : 'Cancel it first'}`
        : 'Here at once, and at Beehiiv once it confirms',
    },
  ];
  return actions.filter((action) => action !== undefined && action !== false);
}

type OpenDialogProps = {
  open: Open;
  person: PersonAnswer;
  name: string;
  onClose: () => void;
  onDone: () => void;
};

/** Renders the dialog that an action or a payment has opened. */
export function OpenDialog({ open, person, name, ...dialog }: OpenDialogProps) {
  const { lead, freeAccess } = person;
  const { email } = lead;
  const subscriptions = paidBy(email, person.subscriptions);
  const subscription =
    subscriptions.find(({ stripeSubscriptionId: id }) => id === open.of) ?? mainOf(person);
  const payment = listPayments(subscriptions).find(({ invoice }) => invoice.id === open.of);
  switch (open.what) {
    case 'correct':
      return <CorrectEmail {...dialog} lead={lead} pays={subscription !== undefined} />;
    case 'cancel':
      return subscription && <CancelDialog {...dialog} subscription={subscription} />;
    case 'resume':
      return subscription && <ResumeDialog {...dialog} subscription={subscription} />;
    case 'refund':
      return payment && <RefundDialog {...dialog} {...payment} />;
    case 'link':
      return <PaymentLinkDialog {...dialog} email={email} name={person.name} />;
    case 'give':
      return (
        <GiveAccessDialog
          {...dialog}
          person={{ email, subscriptions }}
          before={freeAccess && !freeAccess.isOver ? freeAccess : undefined}
        />
      );
    case 'share':
      return subscription && <GiveAccessDialog {...dialog} subscription={subscription} />;
    case 'end':
      return <EndAccessDialog {...dialog} email={email} />;
    case 'export':
      return <ExportDialog onClose={dialog.onClose} email={email} name={name} />;
    case 'erase':
      return <EraseDialog onClose={dialog.onClose} email={email} name={name} />;
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
