import type { LeadDetailAnswer } from '@site/schema/admin';
import type { Lead } from '@site/schema/lead';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { toasts } from '../../ui/toast-store.ts';
import { CorrectAddress } from './CorrectAddress.tsx';
import styles from './Drawer.module.css';
import { toReport } from './lead-report.ts';

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
        {lead.beehiivStatus !== 'sent' && (
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
      {isPaused && lead.beehiivStatus !== 'sent' && <p>The sync is paused: a retry waits until it goes on.</p>}
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
