import type { CheckoutStateAnswer } from '@site/schema/calls/visitor';
import type { PageSettings } from '@site/schema/page-render';
import { useEffect, useState } from 'react';
import useSWR from 'swr';
import { callApi, HttpError } from '../../http.ts';
import { useOnline } from '../../site/use-online.ts';

/** Polls ten times in half a minute while Stripe is still processing, or no answer comes. Then the page waits for a press. */
const POLL_EVERY_MS = 3_000;
const MAX_POLLS = 10;
/** Longer than the API waits for Stripe. */
const TIMEOUT_MS = 12_000;

export type CheckoutView = { state: 'none' | 'overdue' | 'unreachable' } | CheckoutStateAnswer;

async function fetchCheckoutState([, id]: readonly [string, string]): Promise<CheckoutStateAnswer> {
  try {
    return await callApi('GET /api/checkout/session/:id', {
      params: { id },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (error) {
    if (error instanceof HttpError && error.status === 404) return { state: 'not-found' };
    throw error;
  }
}

/**
 * Follows the state of a checkout, from what the server said with the page. `none` means no session id; `overdue` means
 * Stripe took too long.
 */
export function useCheckoutState(sessionId: string | null, first: PageSettings['checkout']) {
  const [polls, setPolls] = useState(0);
  const key = sessionId === null ? null : (['checkout', sessionId] as const);
  const { data, error, isValidating, mutate } = useSWR(key, fetchCheckoutState, {
    revalidateOnReconnect: true,
    revalidateOnMount: first === undefined,
    ...(first && first.state !== 'unreachable' && { fallbackData: first }),
  });
  const isOnline = useOnline();
  const isProcessing = data?.state === 'processing';

  const isUnreachable =
    error !== undefined || (first?.state === 'unreachable' && data === undefined);
  const isAwaited = sessionId !== null && (isProcessing || isUnreachable);
  useEffect(() => {
    if (!isAwaited || isValidating || polls >= MAX_POLLS) return;
    const timer = setTimeout(() => {
      setPolls(polls + 1);
      void mutate().catch(() => undefined);
    }, POLL_EVERY_MS);
    return () => clearTimeout(timer);
  }, [isAwaited, isValidating, polls, mutate]);

  function askAgain(): void {
    setPolls(0);
    void mutate().catch(() => undefined);
  }

  return {
    // The polls do not show.
    isAsking: isValidating && polls === 0,
    view: toView(
      sessionId,
      data,
      isUnreachable || !isOnline,
      isProcessing && !isValidating && polls >= MAX_POLLS,
    ),
    askAgain,
  };
}

function toView(
  sessionId: string | null,
  data: CheckoutStateAnswer | undefined,
  isUnreachable: boolean,
  isOverdue: boolean,
): CheckoutView {
  if (sessionId === null) return { state: 'none' };
  if (isOverdue) return { state: 'overdue' };
  if (data) return data;
  return { state: isUnreachable ? 'unreachable' : 'processing' };
}
