import type { Failure } from '@site/platform/health/sync-facts';
import { Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import type Stripe from 'stripe';

/** A call without an answer after this time counts as unanswered. The SDK gives up earlier. */
const UNANSWERED_MS = 5_000;
/** An older failure does not describe the present. */
const FORGOTTEN_MS = 10 * 60_000;
/** A health check asks Stripe after this long without a call, and sooner while Stripe fails. */
const ASKED_MS = 60_000;
const ASKED_AGAIN_MS = 10_000;

type Sent = { method: string; path: string };
type Answered = Sent & { status: number; elapsed: number };

const GROUPS = new Set(['checkout', 'billing_portal']);

/** Names the resource of a call: `prices`, `checkout/sessions`. Never an id. */
function toResource(path: string): string {
  const [, , group = '', member = ''] = (path.split('?', 1)[0] ?? '').split('/');
  return GROUPS.has(group) ? `${group}/${member}` : group;
}

/** Measures the SDK's calls, each attempt separately. */
export function addStripeMetrics(registry: Registry, stripe: Stripe): void {
  const duration = new Histogram({
    name: 'stripe_request_duration_seconds',
    help: 'Time until Stripe answered',
    labelNames: ['method', 'resource', 'status_class'] as const,
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 4],
    registers: [registry],
  });
  stripe.on('response', ({ method, path, status, elapsed }: Answered) => {
    const labels = {
      method,
      resource: toResource(path),
      status_class: `${Math.trunc(status / 100)}xx`,
    };
    duration.observe(labels, elapsed / 1_000);
  });
}

/**
 * Reports whether Stripe's last calls failed. Counts visitors' calls, and a price that a health
 * check requests, so that no visitor must try first. Healthy until a call fails or stays
 * unanswered, and again after the next success or ten minutes.
 */
export function watchStripeCalls(
  stripe: Stripe,
  now: () => number = () => performance.now(),
): () => Failure[] {
  let askedAt = Number.NEGATIVE_INFINITY;
  let unansweredSince: number | null = null;
  let failedAt = Number.NEGATIVE_INFINITY;
  let answered = 0;
  stripe.on('request', () => {
    askedAt = now();
    unansweredSince ??= askedAt;
  });
  stripe.on('response', ({ status }: Answered) => {
    unansweredSince = null;
    answered = status;
    failedAt = status >= 500 || isKeyRefusal(status) ? now() : Number.NEGATIVE_INFINITY;
  });
  const isRecent = (at: number) => now() - at < FORGOTTEN_MS;
  return () => {
    const isUnanswered =
      unansweredSince !== null && now() - unansweredSince >= UNANSWERED_MS && isRecent(askedAt);
    const isFailing = isUnanswered || isRecent(failedAt);
    if (now() - askedAt >= (isFailing ? ASKED_AGAIN_MS : ASKED_MS)) {
      askedAt = now();
      void stripe.prices.list({ limit: 1 }, { maxNetworkRetries: 0 }).catch(() => undefined);
    }
    if (!isFailing) return [];
    if (!isUnanswered && isKeyRefusal(answered))
      return [
        {
          kind: 'stripe-unavailable',
          text: 'Nobody can subscribe: Stripe refuses the key, or the key lacks a permission.',
        },
      ];
    const why = isUnanswered ? 'Stripe does not answer' : `Stripe answered ${answered}`;
    return [{ kind: 'stripe-unavailable', text: `Nobody can subscribe: ${why}.` }];
  };
}

const isKeyRefusal = (status: number) => status === 401 || status === 403;
