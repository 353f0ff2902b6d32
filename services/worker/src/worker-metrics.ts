import type { AttemptClass } from '@site/schema/beehiiv-answers';
import { addCounter } from '@site/platform/process/metrics';
import { Gauge, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import type { Newsletter } from './newsletter/connect.ts';
import type { RateLimiter } from './newsletter/rate-limiter.ts';
import type { NewsletterPort, Verdict } from './newsletter/newsletter.port.ts';
import type { RunResult } from './sync/sync.processor.ts';

const CLASSES: Verdict['class'][] = [
  'accepted',
  'permanent',
  'configuration',
  'transient',
  'rate-limited',
];
/** The classes that can fail a lead. */
const FAILING: AttemptClass[] = ['permanent', 'transient'];

export type WorkerMetrics = {
  /** Measures requests to Beehiiv and the slots they use. */
  measure(connection: Newsletter): Newsletter;
  countRun(result: RunResult): void;
};

/** Adds the worker's metrics. Every series starts at 0. */
export function addWorkerMetrics(registry: Registry): WorkerMetrics {
  const attempts = addCounter(
    registry,
    'lead_attempts_total',
    'Runs of leads, by the class of the newsletter’s answer',
    'class',
  );
  for (const each of CLASSES) attempts.inc({ class: each }, 0);
  const sent = addCounter(registry, 'leads_sent_total', 'Leads that the newsletter accepted');
  const failed = addCounter(
    registry,
    'leads_failed_total',
    'Leads that failed, by the class of the last answer',
    'class',
  );
  for (const each of FAILING) failed.inc({ class: each }, 0);
  const latency = new Histogram({
    name: 'newsletter_request_duration_seconds',
    help: 'Time until the newsletter answered, by operation and class of the answer',
    labelNames: ['operation', 'class'] as const,
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const countSlot = addSlotGauge(registry);

  const timed = async <T extends Verdict>(
    operation: string,
    request: () => Promise<T>,
  ): Promise<T> => {
    const end = latency.startTimer({ operation });
    const answer = await request();
    end({ class: answer.class });
    return answer;
  };
  return {
    measure: ({ newsletter, rateLimiter, ...rest }) => ({
      ...rest,
      newsletter: timePort(newsletter, timed),
      rateLimiter: countSlots(rateLimiter, countSlot),
    }),
    countRun({ class: decidedBy, move }) {
      attempts.inc({ class: decidedBy });
      if (move === 'sent') sent.inc();
      if (move === 'failed') failed.inc({ class: decidedBy });
    },
  };
}

function timePort(
  port: NewsletterPort,
  timed: <T extends Verdict>(operation: string, request: () => Promise<T>) => Promise<T>,
): NewsletterPort {
  return {
    add: (subscriber) => timed('add', () => port.add(subscriber)),
    find: (email) => timed('find', () => port.find(email)),
    update: (email, fields) => timed('update', () => port.update(email, fields)),
    activate: (subscriberId) => timed('activate', () => port.activate(subscriberId)),
    setTier: (email, tier) => timed('set_tier', () => port.setTier(email, tier)),
    unsubscribe: (email, fields) => timed('unsubscribe', () => port.unsubscribe(email, fields)),
    remove: (subscriberId) => timed('remove', () => port.remove(subscriberId)),
    listSubscribers: (cursor) => timed('list_subscribers', () => port.listSubscribers(cursor)),
    listFields: (page) => timed('list_fields', () => port.listFields(page)),
  };
}

const countSlots = (rateLimiter: RateLimiter, onSlot: () => void): RateLimiter => ({
  async waitForSlot(...wait) {
    const isTaken = await rateLimiter.waitForSlot(...wait);
    if (isTaken) onSlot();
    return isTaken;
  },
});

const MINUTE_MS = 60_000;

/**
 * Counts the slots that this process used in the last minute. All workers share the allowance, so a
 * query must sum them.
 */
function addSlotGauge(registry: Registry): () => void {
  let usedAt: number[] = [];
  const countUsed = () => {
    const since = performance.now() - MINUTE_MS;
    usedAt = usedAt.filter((at) => at > since);
    return usedAt.length;
  };
  const used: Gauge = new Gauge({
    name: 'newsletter_slots_used',
    help: 'Rate limiter slots that this process used in the last minute',
    registers: [registry],
    collect: () => used.set(countUsed()),
  });
  return () => {
    // Also drops old entries here, in case nothing scrapes.
    countUsed();
    usedAt.push(performance.now());
  };
}
