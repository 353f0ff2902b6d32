import { checkoutStateAnswer } from '@site/schema/checkout';
import type { CheckoutStateAnswer } from '@site/schema/checkout';
import { useEffect, useState } from 'react';
import useSWR from 'swr';
import { createFetcher, HttpError } from '../../http.ts';
import type { QueryKey } from '../../http.ts';

/** Polls ten times in half a minute while Stripe is still processing. Then the page says it is late. */
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

/** Loads the state of a checkout. `none` means no session id; `overdue` means Stripe took too long. */
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
