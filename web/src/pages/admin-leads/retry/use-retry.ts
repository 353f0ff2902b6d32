import { leadRetryAnswer } from '@site/schema/admin';
import type { LeadRetryBody } from '@site/schema/admin';
import type { Lead } from '@site/schema/lead';
import { useState } from 'react';
import { showFailure } from '../api/call-fault.ts';
import { useSession } from '../session/session.tsx';

/** Retries single leads at once, pending or failed, and returns what a screen reader should announce. */
export function useRetry(reload: () => Promise<unknown>) {
  const { call } = useSession();
  const [retrying, setRetrying] = useState<ReadonlySet<string>>(new Set());
  const [announcement, setAnnouncement] = useState('');

  const retry = async (lead: Lead) => {
    if (lead.beehiivStatus === 'sent' || retrying.has(lead.id)) return;
    setRetrying((ids) => new Set(ids).add(lead.id));
    // Cleared first, because the same text twice in a row is announced only once.
    setAnnouncement('');
    try {
      const body: LeadRetryBody = { ids: [lead.id] };
      const answer = await call('POST', '/api/admin/leads/retry', body);
      const { retried } = leadRetryAnswer.parse(await answer.json());
      await reload();
      const who = lead.fullName ?? lead.email;
      setAnnouncement(retried === 1 ? `${who} will be retried` : `${who} is being sent, or was sent already`);
    } catch (error) {
      showFailure('Retry failed', error);
    } finally {
      setRetrying((ids) => new Set([...ids].filter((id) => id !== lead.id)));
    }
  };

  return { retry, retrying, announcement };
}
