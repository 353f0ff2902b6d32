import type { Database } from '@site/platform/database/connect';
import type { Logger } from '@site/platform/logger';
import { finishErasure, putOffErasure, takeDueErasure } from '@site/platform/outbox/erasure';
import type { DueErasure } from '@site/platform/outbox/erasure';
import { releaseAddress } from '@site/platform/outbox/address-lease';
import { closeGateFor } from '@site/platform/outbox/gate';
import type { Gate } from '../newsletter/gate.ts';
import type { NewsletterPort } from '../newsletter/newsletter.port.ts';
import { backoffMs } from '../sync/backoff.ts';

export type ErasureDeps = {
  db: Database;
  gate: Gate;
  newsletter: NewsletterPort;
  newId: () => string;
  backoffBaseMs: number;
  random: () => number;
  log: Logger;
};

/**
 * Makes the newsletter forget whoever is to be forgotten, one after the other, until nobody is due. What
 * fails is tried again, ever more slowly and for as long as it takes, whatever the reason: a promise was made.
 */
export async function eraseDue(deps: ErasureDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const holder = deps.newId();
    const erasure = await takeDueErasure(deps.db, holder);
    if (!erasure) return;
    try {
      await eraseReader(deps, erasure, signal);
    } finally {
      await releaseAddress(deps.db, holder);
    }
  }
}

async function eraseReader(deps: ErasureDeps, { id, emailNormalised, tries }: DueErasure, signal: AbortSignal) {
  const { db, gate, newsletter, log } = deps;
  await gate.pass(signal);
  let answer = await newsletter.find(emailNormalised);
  if (answer.subscriber) {
    await gate.pass(signal);
    answer = await newsletter.remove(answer.subscriber.id);
  }
  if (answer.class === 'accepted') {
    await finishErasure(db, id, answer.message);
    log.info({ erasureId: id, tries: tries + 1 }, 'reader erased');
    return;
  }
  if (answer.class === 'rate-limited') await closeGateFor(db, answer.retryAfterMs ?? 0);
  const delayMs = answer.retryAfterMs ?? backoffMs(tries + 1, deps.backoffBaseMs, deps.random());
  await putOffErasure(db, id, answer.message, delayMs);
  log.warn({ erasureId: id, tries: tries + 1, class: answer.class }, 'erasure put off');
}
