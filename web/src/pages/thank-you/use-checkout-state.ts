import type { CheckoutStateAnswer } from '@site/schema/calls/visitor';
import type { PageSettings } from '@site/schema/page-render';
import { useEffect, useState } from 'react';
import { callApi, HttpError } from '../../http.ts';
import { useOnline } from '../../site/use-online.ts';

/**
 * Polls ten times in half a minute while Stripe is still processing, or no answer comes. Then the
 * page waits for a press.
 */
const POLL_EVERY_MS = 3_000;
const MAX_POLLS = 10;
/** Longer than the API waits for Stripe. */
const TIMEOUT_MS = 12_000;

export type CheckoutView = { state: 'none' | 'overdue' | 'unreachable' } | CheckoutStateAnswer;

async function fetchCheckoutState(id: string): Promise<CheckoutStateAnswer | null> {
  try {
    return await callApi('GET /api/checkout/session/:id', {
      params: { id },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch (error) {
    return error instanceof HttpError && error.status === 404 ? { state: 'not-found' } : null;
  }
}

/**
 * Follows a checkout's state, from the server's first answer. `none` means no session id. `overdue`
 * means Stripe took too long.
 */
export function useCheckoutState(sessionId: string | null, first: PageSettings['checkout']) {
  const [answer, setAnswer] = useState<CheckoutView | undefined>(first);
  const [round, setRound] = useState(
    first ? { asked: 1, waitMs: POLL_EVERY_MS } : { asked: 0, waitMs: 0 },
  );
  const isOnline = useOnline();
  const isOpen = !answer || answer.state === 'processing' || answer.state === 'unreachable';
  const isOver = round.asked > MAX_POLLS;

  useEffect(() => {
    if (sessionId === null || !isOpen || isOver) return;
    let isStale = false;
    const ask = async () => {
      const next = await fetchCheckoutState(sessionId);
      if (isStale) return;
      setAnswer((known) => next ?? known ?? { state: 'unreachable' });
      setRound(({ asked }) => ({ asked: asked + 1, waitMs: POLL_EVERY_MS }));
    };
    const askNow = () => void ask();
    const timer = setTimeout(askNow, round.waitMs);
    window.addEventListener('online', askNow);
    return () => {
      isStale = true;
      clearTimeout(timer);
      window.removeEventListener('online', askNow);
    };
  }, [sessionId, isOpen, isOver, round]);

  return {
    isAsking: answer !== undefined && round.waitMs === 0,
    view: toView(),
    askAgain: () => setRound({ asked: 0, waitMs: 0 }),
  };

  function toView(): CheckoutView {
    if (sessionId === null) return { state: 'none' };
    if (answer?.state === 'processing' && isOver) return { state: 'overdue' };
    return answer ?? { state: isOnline ? 'processing' : 'unreachable' };
  }
}
