import type { LeadDetailAnswer } from '@site/schema/admin';
import type { Lead } from '@site/schema/lead';
import { useState } from 'react';
import { Button } from '../../../ui/Button.tsx';
import { toasts } from '../../../ui/toast-store.ts';
import { CorrectAddress } from './CorrectAddress.tsx';
import styles from './Drawer.module.css';
import { toReport } from './lead-report.ts';
import { LinkButton } from '../LinkButton.tsx';

type DrawerActionsProps = {
  detail: LeadDetailAnswer;
  now: Date;
  isPaused: boolean;
  onRetry: (lead: Lead) => Promise<void>;
  onReload: () => Promise<unknown>;
  onOpen: (leadId: string) => void;
  onPerson: (email: string) => void;
  onSignedOut: () => void;
};

/** What can be done about one lead. */
export function DrawerActions({ detail, now, isPaused, ...on }: DrawerActionsProps) {
  const { lead, correctedTo } = detail;
  // Retry would send to the address that was mistyped: the lead it became is the one to try.
  const canRetry = lead.beehiivStatus !== 'sent' && !correctedTo;
  const [isRetrying, setRetrying] = useState(false);
  const [isCorrecting, setCorrecting] = useState(false);

  const retry = async () => {
    setRetrying(true);
    try {
      await on.onRetry(lead);
      await on.onReload();
    } finally {
      setRetrying(false);
    }
  };
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(toReport(detail, new Date()));
      toasts.add({ title: 'Copied', description: 'The lead and its attempts, as text.' });
    } catch (error) {
      console.error('The text could not be copied', error);
      toasts.add({ title: 'Copy failed', description: 'The browser did not allow it.', tone: 'destructive' });
    }
  };
  return (
    <>
      <div className={styles.actions}>
        {canRetry && (
          <Button pending={isRetrying} pendingLabel="Asking..." onClick={() => void retry()}>
            Retry now
          </Button>
        )}
        {!correctedTo && (
          <Button look="line" aria-expanded={isCorrecting} onClick={() => setCorrecting(!isCorrecting)}>
            Correct the address…
          </Button>
        )}
        <Button look="line" onClick={() => void copy()}>
          Copy as text
        </Button>
        <Button look="line" onClick={() => on.onPerson(lead.email)}>
          Export or erase…
        </Button>
      </div>
      {correctedTo && (
        <p className={styles.corrected}>
          Corrected into{' '}
          <LinkButton onClick={() => on.onOpen(correctedTo.id)}>
            <bdi>{correctedTo.email}</bdi>
          </LinkButton>
          , a lead of its own, which goes to Beehiiv instead of this one.
        </p>
      )}
      {isPaused && canRetry && <p>The sync is paused: a retry waits until it goes on.</p>}
      {isCorrecting && (
        <CorrectAddress
          lead={lead}
          onSignedOut={on.onSignedOut}
          onCancel={() => setCorrecting(false)}
          onDone={(id) => {
            setCorrecting(false);
            void on.onReload();
            on.onOpen(id);
          }}
        />
      )}
    </>
  );
}
