import { leadRetryAnswer } from '@site/schema/admin';
import type { LeadRetryBody } from '@site/schema/admin';
import type { Lead } from '@site/schema/lead';
import { useState } from 'react';
import { postJson } from '../../../http.ts';
import { toasts } from '../../../ui/toast-store.ts';
import { describeFault, isSignedOut } from '../call-fault.ts';

type RetryDeps = { reload: () => Promise<unknown>; onSignedOut: () => void };

/** Sends a lead again now, failed or waiting, one at a time each, and says aloud what came of it. */
export function useRetry({ reload, onSignedOut }: RetryDeps) {
  const [retrying, setRetrying] = useState<ReadonlySet<string>>(new Set());
  const [announcement, setAnnouncement] = useState('');

  const retry = async (lead: Lead) => {
    if (lead.beehiivStatus === 'sent' || retrying.has(lead.id)) return;
    setRetrying((ids) => new Set(ids).add(lead.id));
    // The same words twice are only said again after none.
    setAnnouncement('');
    try {
      const body: LeadRetryBody = { ids: [lead.id] };
      const { retried } = leadRetryAnswer.parse(await postJson('/api/admin/leads/retry', body));
      await reload();
      const who = lead.fullName ?? lead.email;
      setAnnouncement(retried === 1 ? `${who} will be tried again` : `${who} is being tried, or was sent`);
    } catch (error) {
      if (isSignedOut(error)) return onSignedOut();
      console.error('The lead could not be retried', error);
      toasts.add({ title: 'Retry failed', description: describeFault(error), tone: 'destructive' });
    } finally {
      setRetrying((ids) => new Set([...ids].filter((id) => id !== lead.id)));
    }
  };

  return { retry, retrying, announcement };
}
