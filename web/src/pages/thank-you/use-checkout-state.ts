import { checkoutStateAnswer } from '@site/schema/checkout';
import type { CheckoutStateAnswer } from '@site/schema/checkout';
import { useEffect, useState } from 'react';
import useSWR from 'swr';
import { createFetcher, HttpError } from '../../http.ts';
import type { QueryKey } from '../../http.ts';

/** Asked again while Stripe is still at work: ten times in half a minute, then the page says so. */
const POLL_EVERY_MS = 3_000;
const MAX_POLLS = 10;

export type CheckoutView = { state: 'none' | 'loading' | 'overdue' | 'unreachable' } | CheckoutStateAnswer;

const getJson = createFetcher<unknown>();

async function fetchCheckoutState(key: QueryKey): Promise<CheckoutStateAnswer> {
  try {
    return checkoutStateAnswer.parse(await getJson(key));
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return { state: 'not-found' };
    throw error;
  }
}

/** What became of a checkout. `none` without a session id, `overdue` when Stripe took too long to say. */
export function useCheckoutState(sessionId: string | null): { view: CheckoutView; askAgain: () => void } {
  const [polls, setPolls] = useState(0);
  const key = sessionId === null ? null : ['/api/checkout/session', encodeURIComponent(sessionId)];
  const { data, error, isValidating, mutate } = useSWR<CheckoutStateAnswer>(key, fetchCheckoutState);
  const isProcessing = data?.state === 'processing';

  useEffect(() => {
    if (!isProcessing || isValidating || polls >= MAX_POLLS) return;
    const timer = setTimeout(() => {
      setPolls(polls + 1);
      void mutate().catch(() => undefined);
    }, POLL_EVERY_MS);
    return () => clearTimeout(timer);
  }, [isProcessing, isValidating, polls, mutate]);

  function askAgain(): void {
    setPolls(0);
    void mutate().catch(() => undefined);
  }

  return {
    view: toView(sessionId, data, error, isProcessing && !isValidating && polls >= MAX_POLLS),
    askAgain,
  };
}

function toView(
  sessionId: string | null,
  data: CheckoutStateAnswer | undefined,
  error: unknown,
  isOverdue: boolean,
): CheckoutView {
  if (sessionId === null) return { state: 'none' };
  if (isOverdue) return { state: 'overdue' };
  if (data) return data;
  return { state: error === undefined ? 'loading' : 'unreachable' };
}
