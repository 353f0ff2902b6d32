import type { Database } from '@site/platform/database/connect';
import type { Logger } from '@site/platform/logger';
import { finishErasure, putOffErasure, takeDueErasure } from '@site/platform/outbox/erasure';
import type { DueErasure } from '@site/platform/outbox/erasure';
import { releaseAddress, renewAddress } from '@site/platform/outbox/address-lease';
import { closeGateFor } from '@site/platform/outbox/gate';
import type { Gate } from '../newsletter/gate.ts';
import { keepWhile } from '../newsletter/keep-while.ts';
import type { NewsletterPort, Verdict } from '../newsletter/newsletter.port.ts';
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
    const askForSlot = async () => {
      await keepWhile(() => renewAddress(deps.db, holder), deps.gate.pass(signal));
      return renewAddress(deps.db, holder);
    };
    try {
      const answer = await eraseReader(deps.newsletter, erasure.emailNormalised, askForSlot);
      if (answer) await record(deps, erasure, holder, answer);
    } finally {
      await releaseAddress(deps.db, holder);
    }
  }
}

/** The answer that decides, or null when the address was lost to another run on the way: who is there now may be there anew. */
async function eraseReader(
  newsletter: NewsletterPort,
  emailNormalised: string,
  askForSlot: () => Promise<boolean>,
): Promise<Verdict | null> {
  if (!(await askForSlot())) return null;
  const found = await newsletter.find(emailNormalised);
  if (found.class !== 'accepted' && !found.subscriber) return found;
  if (!(await askForSlot())) return null;
  if (found.subscriber) return newsletter.remove(found.subscriber.id);
  // With a wrong publication nobody is there: only one that answers can say that somebody is not.
  const fields = await newsletter.listFields(1);
  return fields.class === 'accepted' ? found : fields;
}

async function record(deps: ErasureDeps, { id, tries }: DueErasure, holder: string, answer: Verdict): Promise<void> {
  const { db, log } = deps;
  if (answer.class === 'accepted') {
    await finishErasure(db, id, holder, answer.message);
    log.info({ erasureId: id, tries: tries + 1 }, 'reader erased');
    return;
  }
  if (answer.class === 'rate-limited') await closeGateFor(db, answer.retryAfterMs ?? 0);
  const delayMs = answer.retryAfterMs ?? backoffMs(tries + 1, deps.backoffBaseMs, deps.random());
  await putOffErasure(db, id, answer.message, delayMs);
  log.warn({ erasureId: id, tries: tries + 1, class: answer.class }, 'erasure put off');
}
