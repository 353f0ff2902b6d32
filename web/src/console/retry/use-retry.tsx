import type { ListedLead } from '@site/schema/stored-lead';
import { useRef, useState } from 'react';
import { toasts } from '../../ui/toast-store.ts';
import type { ToastContent } from '../../ui/toast-store.ts';
import { ConfirmDialog } from '../shared/ConfirmDialog.tsx';
import styles from '../shared/dialog.module.css';
import { describeProgress, HALTS, shownStatus } from '../lead/lead-labels.ts';
import type { Halt } from '../lead/lead-labels.ts';
import { useLiveEvents } from '../api/LiveUpdates.tsx';
import { useCall } from '../session/use-call.ts';

/** The least wait that is a refusal and not the queue. */
const SOON_MS = 1_000;

/** Retries single leads at once, pending or failed, and says in toasts what happened. Of a quarantined one it asks first. */
export function useRetry(reload: () => Promise<unknown>, halt: Halt) {
  const { send } = useCall('POST /api/admin/leads/retry', { failure: 'Retry failed' });
  const [retrying, setRetrying] = useState<ReadonlySet<string>>(new Set());
  const [asked, setAsked] = useState<{ lead: ListedLead; onStarted: (() => void) | undefined }>();
  const awaited = useRef(new Set<string>());
  useLiveEvents(({ leads }) => {
    for (const lead of leads.filter(({ id }) => awaited.current.has(id))) {
      const outcome = describeOutcome(lead, halt);
      if (outcome === undefined) continue;
      awaited.current.delete(lead.id);
      toasts.add(outcome);
    }
    return undefined;
  });

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
    awaited.current.add(lead.id);
    const done = await send({ body: { ids: [lead.id] } });
    if (!done) awaited.current.delete(lead.id);
    // A fast answer may have been told already.
    const isAwaited = awaited.current.has(lead.id);
    if (done) await reload();
    if (done && isAwaited && awaited.current.has(lead.id)) {
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

function describeOutcome(lead: ListedLead, halt: Halt): ToastContent | undefined {
  const now = new Date();
  const name = nameOf(lead);
  if (lead.beehiivStatus === 'sent')
    return { title: 'Sent', description: `Beehiiv accepted ${name}.` };
  const told = describeProgress(lead, now, halt);
  if (lead.beehiivStatus === 'failed')
    return { title: 'Failed again', description: `${name}: ${told}`, tone: 'destructive' };
  const waitMs = lead.nextAttemptAt === null ? 0 : Date.parse(lead.nextAttemptAt) - now.getTime();
  return waitMs < SOON_MS
    ? undefined
    : { title: 'Not accepted yet', description: `${name}: ${told}` };
}
