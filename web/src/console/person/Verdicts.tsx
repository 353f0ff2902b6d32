import type { PersonAnswer } from '@site/schema/calls/people';
import { Button } from '../../ui/Button.tsx';
import type { Halt } from '../lead/progress.ts';
import { RetryButton } from '../retry/RetryButton.tsx';
import { useIsViewer } from '../session/session.ts';
import { TONE_ICONS } from '../shared/console-icons.tsx';
import { copyText } from '../shared/fields.tsx';
import type { Open } from './Actions.tsx';
import { NOT_TO_OPEN, toRecoveryLink } from './labels.ts';
import { newestCharge } from './Payments.tsx';
import styles from './Person.module.css';
import { MoneyReview, PayerRemedyButton } from './Remedies.tsx';
import { StripeButton } from './StripeLink.tsx';
import { useInvoiceLink } from './use-invoice-link.ts';
import { judge, mainOf, paidBy } from './verdict.ts';
import type { Verdict } from './verdict.ts';

const LABELS = {
  correct: 'Correct the email…',
  resume: 'Undo cancellation…',
  cancel: 'Cancel subscription…',
  link: 'Payment link…',
};

type VerdictsProps = {
  person: PersonAnswer;
  now: Date;
  halt: Halt;
  onOpen: (open: Open) => void;
  onDone: () => void;
};

/** Shows the state of the person and the lead, each with its one remedy. */
export function Verdicts({ person, now, halt, onOpen, onDone }: VerdictsProps) {
  return judge(person, now, halt).map((verdict) => {
    const Icon = TONE_ICONS[verdict.tone];
    return (
      <div key={verdict.name} className={styles.verdict} data-tone={verdict.tone}>
        <p>
          <Icon /> <strong>{verdict.name}</strong> {verdict.sentence}.
        </p>
        <VerdictAction
          verdict={verdict}
          person={person}
          now={now}
          onOpen={onOpen}
          onDone={onDone}
        />
      </div>
    );
  });
}

function VerdictAction({
  verdict: { action },
  person,
  now,
  onOpen,
  onDone,
}: Omit<VerdictsProps, 'halt'> & { verdict: Verdict }) {
  const { lead, name, notReceiving, checkouts } = person;
  const isViewer = useIsViewer();
  const copyLink = useInvoiceLink();
  const paid = paidBy(lead.email, person.subscriptions);
  const main = mainOf(person);
  const newest = newestCharge(paid);
  const left = checkouts.find(({ isAbandoned }) => isAbandoned);
  const url = left && toRecoveryLink(left, now).url;
  switch (action) {
    case 'remedy':
      return (
        notReceiving && (
          <PayerRemedyButton
            payer={notReceiving}
            onCorrect={() => onOpen({ what: 'correct' })}
            onDone={onDone}
          />
        )
      );
    case 'correct':
    case 'resume':
    case 'cancel':
    case 'link':
      return isViewer ? null : (
        <div className="actions">
          <Button onClick={() => onOpen({ what: action })}>{LABELS[action]}</Button>
          {action === 'correct' && (
            <RetryButton
              lead={lead}
              name={name}
              look="line"
              pendingLabel="Retrying..."
              onDone={onDone}
            >
              Retry now
            </RetryButton>
          )}
          {action === 'cancel' && main && (
            <MoneyReview
              kind="subscriptions"
              id={main.stripeSubscriptionId}
              name={main.email}
              onReviewed={async () => onDone()}
            />
          )}
        </div>
      );
    case 'invoice':
      return (
        newest && (
          <Button onClick={() => void copyLink(newest.invoice.id)}>Copy invoice link</Button>
        )
      );
    case 'dispute':
      return (
        main?.openDispute && (
          <StripeButton to={main.openDispute.dashboardUrl} look="solid">
            Answer in Stripe
          </StripeButton>
        )
      );
    case 'retry':
    case 'send':
      return (
        <RetryButton
          lead={lead}
          name={name}
          look={lead.beehiivStatus === 'failed' && action === 'retry' ? 'solid' : 'line'}
          pendingLabel="Retrying..."
          onDone={onDone}
        >
          {action === 'send' ? 'Send to Beehiiv…' : 'Retry now'}
        </RetryButton>
      );
    case 'recover':
      return (
        url !== undefined && (
          <Button onClick={() => void copyText(url, NOT_TO_OPEN)}>Copy link</Button>
        )
      );
    case undefined:
      return null;
  }
}
