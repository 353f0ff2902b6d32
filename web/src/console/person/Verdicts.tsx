import type { PersonAnswer } from '@site/schema/calls/people';
import { Button } from '../../ui/Button.tsx';
import type { Halt } from '../lead/lead-labels.ts';
import { STATUS_ICONS } from '../lead/LeadStatus.tsx';
import { useRetry } from '../retry/use-retry.tsx';
import { copyText } from '../shared/fields.tsx';
import type { Open } from './Actions.tsx';
import { NOT_TO_OPEN, toEmailText } from './checkout-email.ts';
import { describeRecovery } from './money-labels.ts';
import { PayerRemedyButton } from './PayerRemedyButton.tsx';
import { newestCharge } from './Payments.tsx';
import styles from './Person.module.css';
import { MoneyReview } from './settle-buttons.tsx';
import { StripeButton } from './StripeLink.tsx';
import { useInvoiceLink } from './use-invoice-link.ts';
import { judge, mainOf, paidBy } from './verdict.ts';
import type { Verdict } from './verdict.ts';

type VerdictsProps = {
  person: PersonAnswer;
  now: Date;
  halt: Halt;
  onOpen: (open: Open) => void;
  onDone: () => void;
};

/** What the person and the lead are, each with the one action that puts it right. */
export function Verdicts({ person, now, halt, onOpen, onDone }: VerdictsProps) {
  return judge(person, now, halt).map((verdict) => {
    const Icon = STATUS_ICONS[verdict.tone];
    return (
      <div key={verdict.name} className={styles.verdict} data-tone={verdict.tone}>
        <p>
          <Icon /> <strong>{verdict.name}</strong> {verdict.sentence}.
        </p>
        <VerdictAction
          verdict={verdict}
          person={person}
          now={now}
          halt={halt}
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
  halt,
  onOpen,
  onDone,
}: VerdictsProps & { verdict: Verdict }) {
  const { lead, notReceiving, checkouts } = person;
  const { retry, retrying, question } = useRetry(async () => onDone(), halt);
  const { draftEmail } = useInvoiceLink();
  const paid = paidBy(lead.email, person.subscriptions);
  const main = mainOf(paid);
  const newest = newestCharge(paid);
  const left = checkouts.find(({ isAbandoned }) => isAbandoned);
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
      return <Button onClick={() => onOpen({ what: 'correct' })}>Correct the address…</Button>;
    case 'resume':
      return <Button onClick={() => onOpen({ what: 'resume' })}>Undo cancellation…</Button>;
    case 'cancel':
      return (
        main && (
          <>
            <Button onClick={() => onOpen({ what: 'cancel' })}>Cancel subscription…</Button>
            <MoneyReview
              kind="subscriptions"
              id={main.stripeSubscriptionId}
              name={main.email}
              onReviewed={async () => onDone()}
            />
          </>
        )
      );
    case 'resend':
      return (
        newest && (
          <Button onClick={() => void draftEmail(newest.invoice, lead.email)}>
            Resend invoice link…
          </Button>
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
        <>
          <Button
            look={lead.beehiivStatus === 'failed' && action === 'retry' ? 'solid' : 'line'}
            pending={retrying.has(lead.id)}
            pendingLabel="Retrying..."
            onClick={() => void retry(lead)}
          >
            {action === 'send' ? 'Send to Beehiiv…' : 'Retry now'}
          </Button>
          {question}
        </>
      );
    case 'recover': {
      const { url } = left ? describeRecovery(left, now) : {};
      const { fullName, consentMarketing, consentTimestamp: agreedAt } = lead;
      if (!left || !url) return null;
      const email = { ...left, name: fullName, url, endsAt: left.recoveryEndsAt };
      return (
        <>
          {consentMarketing && agreedAt && (
            <Button onClick={() => void copyText(toEmailText({ ...email, agreedAt }), NOT_TO_OPEN)}>
              Copy email text
            </Button>
          )}
          <Button look="line" onClick={() => void copyText(url, NOT_TO_OPEN)}>
            Copy link
          </Button>
        </>
      );
    }
    case undefined:
      return null;
  }
}
