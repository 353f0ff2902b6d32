import type { LeadDetailAnswer } from '@site/schema/calls/leads';
import { useEffect, useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { flushSync } from 'react-dom';
import { useNavigate } from 'react-router-dom';
import { Button } from '../../ui/Button.tsx';
import { CallButton } from '../shared/CallButton.tsx';
import { formatCount } from '../shared/format-count.ts';
import { HALTS, needsCorrection } from '../lead/lead-labels.ts';
import type { Halt } from '../lead/lead-labels.ts';
import { mainOf } from './judge-money.ts';
import { StripeButton } from './StripeLink.tsx';
import { DeleteQuarantined } from '../retry/DeleteQuarantined.tsx';
import { useCorrection, useOpenLead } from '../navigation/open-lead.ts';
import type { InvalidLeads } from '../navigation/open-lead.ts';
import { toPerson } from '../navigation/person.ts';
import { useRetry } from '../retry/use-retry.tsx';
import { CorrectAddress } from './CorrectAddress.tsx';
import styles from './Drawer.module.css';
import { NextCorrection } from './NextCorrection.tsx';

type DrawerActionsProps = {
  detail: LeadDetailAnswer;
  halt: Halt;
  invalid: InvalidLeads;
  onReload: () => Promise<unknown>;
  /** The verdict, which the form to correct the address follows. */
  children: ReactNode;
};

/** What an operator can do about one lead. */
export function DrawerActions({ detail, halt, invalid, onReload, children }: DrawerActionsProps) {
  const { lead, correctedTo } = detail;
  const { closeLead } = useOpenLead();
  const [isDeleting, setDeleting] = useState(false);
  const navigate = useNavigate();
  const { retry, retrying, question } = useRetry(onReload, halt);
  const dispute = mainOf(detail.subscriptions)?.openDispute;
  const isWrong = needsCorrection(lead);
  // As it was opened: neither a press nor an answer may swap the buttons under a finger.
  const [isCorrectedFirst] = useState(isWrong || lead.beehiivStatus === 'pending');
  const correction = useCorrection();
  const [isCorrecting, setCorrecting] = useState(() => correction.isCorrecting(lead.id));
  const left =
    correction.isSeries && correction.isCorrecting(lead.id)
      ? correction.leftAfter(lead.id, invalid)
      : [];
  const [next] = left;
  const correctButton = useRef<HTMLButtonElement>(null);
  const actions = useRef<HTMLDivElement>(null);
  const canAnswer =
    dispute !== undefined && dispute !== null && !dispute.status.endsWith('under_review');
  useEffect(() => {
    const drawer = actions.current?.closest('[role="dialog"]');
    const main = canAnswer ? actions.current?.querySelector('a') : isWrong && correctButton.current;
    if (main && document.activeElement === drawer) main.focus();
  }, [isWrong, canAnswer]);
  // A corrected lead has the mistyped address, so a retry would fail again.
  const canRetry = lead.beehiivStatus !== 'sent' && !correctedTo;
  const isQuarantined = lead.quarantineReason !== null;
  const correct = !correctedTo && (
    <CallButton
      ref={correctButton}
      look={isWrong ? 'solid' : 'line'}
      // The Enter that opened the drawer may be held.
      onKeyDown={(event) => event.repeat && event.preventDefault()}
      onClick={() => setCorrecting(true)}
    >
      {isQuarantined ? 'Correct…' : 'Correct the address…'}
    </CallButton>
  );
  const retryButton = canRetry && (
    <CallButton
      look={isWrong || lead.beehiivStatus === 'pending' || halt || isQuarantined ? 'line' : 'solid'}
      pending={retrying.has(lead.id)}
      pendingLabel="Retrying..."
      onClick={() => void retry(lead)}
    >
      {isQuarantined ? 'Send to Beehiiv…' : 'Retry now'}
    </CallButton>
  );
  return (
    <>
      <NextCorrection leadId={lead.id} invalid={invalid} isWrong={isWrong} />
      {!isCorrecting && (
        <div ref={actions} className={styles.actions}>
          {canAnswer && (
            <StripeButton to={dispute.dashboardUrl} look="solid">
              Answer in Stripe
            </StripeButton>
          )}
          {!isCorrectedFirst && retryButton}
          {correct}
          <Button look="line" onClick={() => void navigate({ search: toPerson(lead.id) })}>
            Open person
          </Button>
          {isCorrectedFirst && retryButton}
          {canRetry && isQuarantined && (
            <CallButton look="line" onClick={() => setDeleting(true)}>
              Delete…
            </CallButton>
          )}
        </div>
      )}
      {halt && canRetry && !isWrong && lead.beehiivStatus === 'failed' && (
        <p>
          If you {isQuarantined ? 'send it' : 'retry'} now, it waits until {HALTS[halt].end}.
        </p>
      )}
      {children}
      {question}
      {isDeleting && (
        <DeleteQuarantined
          choice={{ ids: [lead.id] }}
          count={1}
          person={lead.email}
          onClose={() => setDeleting(false)}
          onDeleted={closeLead}
        />
      )}
      {isCorrecting && (
        <CorrectAddress
          lead={lead}
          pays={detail.subscriptions.length > 0}
          onCancel={() => {
            // The drawer was opened for this alone.
            if (correction.isCorrecting(lead.id)) return closeLead();
            flushSync(() => setCorrecting(false));
            correctButton.current?.focus();
          }}
          onDone={(id) => {
            setCorrecting(false);
            correction.openCorrected(id, lead.id);
          }}
        >
          {next !== undefined && (
            <Button look="line" onClick={() => correction.openCorrection(next, lead.id)}>
              Skip, {formatCount(left.length, invalid.hasMore)} left
            </Button>
          )}
        </CorrectAddress>
      )}
    </>
  );
}
