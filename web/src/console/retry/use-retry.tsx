import type { ListedLead } from '@site/schema/stored-lead';
import { useState } from 'react';
import { toasts } from '../../ui/toast-store.ts';
import type { ToastContent } from '../../ui/toast-store.ts';
import { ConfirmDialog } from '../shared/ConfirmDialog.tsx';
import styles from '../shared/dialog.module.css';
import { HALTS, shownStatus } from '../lead/lead-labels.ts';
import type { Halt } from '../lead/lead-labels.ts';
import { useCall } from '../session/use-call.ts';

/** Retries single leads at once, pending or failed, with a toast. Asks before it sends a quarantined one. */
export function useRetry(reload: () => Promise<unknown>, halt: Halt) {
  const { send } = useCall('POST /api/admin/leads/retry', { failure: 'Retry failed' });
  const [retrying, setRetrying] = useState<ReadonlySet<string>>(new Set());
  const [asked, setAsked] = useState<{ lead: ListedLead; onStarted: (() => void) | undefined }>();
  const retry = async (lead: ListedLead, onStarted?: () => void) => {
    if (retrying.has(lead.id)) return;
    // The key is pressed on any row.
    if (lead.beehiivStatus === 'sent' || lead.isCorrected)
      toasts.add({
        title: 'Not retried',
        description: lead.isCorrected
          ? `${lead.email} was corrected: a copy with the right address is sent instead.`
          : `${nameOf(lead)} was sent already.`,
      });
    else if (shownStatus(lead) === 'quarantined') setAsked({ lead, onStarted });
    else await start(lead);
  };

  const start = async (lead: ListedLead) => {
    setRetrying((ids) => new Set(ids).add(lead.id));
    const done = await send({ body: { ids: [lead.id] } });
    if (done) {
      await reload();
      toasts.add(describeStart(lead, 'retried' in done.answer && done.answer.retried === 1, halt));
    }
    setRetrying((ids) => new Set([...ids].filter((id) => id !== lead.id)));
  };

  const question = asked && (
    <ConfirmDialog
      title="Send to Beehiiv?"
      person={[asked.lead.fullName, asked.lead.email].filter(Boolean).join(', ')}
      submit="Send"
      onSubmit={() => {
        setAsked(undefined);
        void start(asked.lead);
        asked.onStarted?.();
      }}
      onClose={() => setAsked(undefined)}
    >
      <p className={styles.words}>
        It looked automated{asked.lead.quarantineReason && `: ${asked.lead.quarantineReason}`}.{' '}
        {asked.lead.consentMarketing
          ? 'Beehiiv adds it to the list as it does any other lead.'
          : 'They did not agree to email: Beehiiv asks them to confirm before it sends anything.'}
      </p>
    </ConfirmDialog>
  );
  return { retry, retrying, question };
}

const nameOf = (lead: ListedLead) => lead.fullName ?? lead.email;

function describeStart(lead: ListedLead, isRetried: boolean, halt: Halt): ToastContent {
  const name = nameOf(lead);
  if (!isRetried)
    return {
      title: 'Not retried',
      description: `${name} is being sent, or was sent or deleted already.`,
    };
  if (halt)
    return { title: 'Not sent yet', description: `${name} waits until ${HALTS[halt].end}.` };
  const title = shownStatus(lead) === 'quarantined' ? 'Sending' : 'Retry started';
  return { title, description: `${name} is being sent to Beehiiv.` };
}
