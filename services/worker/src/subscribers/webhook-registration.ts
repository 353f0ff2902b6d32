import type { Database } from '@site/platform/database/connect';
import { task } from '@site/platform/database/task';
import type { Logger } from '@site/platform/process/logger';
import type { WebhookPort } from '../newsletter/beehiiv/webhook.adapter.ts';
import type { RateLimiter } from '../newsletter/rate-limiter.ts';
import type { Verdict } from '../newsletter/newsletter.port.ts';

export type RegistrationDeps = {
  db: Database;
  rateLimiter: RateLimiter;
  webhooks: WebhookPort;
  /** Our webhook's URL, which ends with the secret. Null: nothing is registered. */
  eventsUrl: string | null;
  newId: () => string;
  log: Logger;
};

/**
 * Creates the task that registers our webhook at Beehiiv, when its process starts and once a day.
 * One process registers at a time. Call it every minute: it tries again until Beehiiv has answered.
 * A refusal, for example of the plan, is stored for the console and is no condition of the sync.
 */
export function createRegistration(deps: RegistrationDeps): (signal: AbortSignal) => Promise<void> {
  const { db, log, eventsUrl } = deps;
  let isStarting = true;
  return async (signal) => {
    if (eventsUrl === null) return;
    const leasedBy = deps.newId();
    const row = () => task(db, 'beehiiv-events');
    const claimed = await row()
      .whereRaw('coalesce(leased_until <= sync_now(), true)')
      .whereRaw('(? or coalesce(retry_at <= sync_now(), true))', [isStarting])
      .update({ leasedBy, leasedUntil: db.raw(`sync_now() + interval '5 minutes'`) });
    if (claimed === 0) return;
    const end = { leasedBy: null, leasedUntil: null };
    try {
      const { class: verdict, reason, httpStatus } = await register(deps, eventsUrl, signal);
      const isRefused = verdict === 'configuration' || verdict === 'permanent';
      if (verdict !== 'accepted' && !isRefused) return;
      isStarting = false;
      Object.assign(end, {
        failure: isRefused ? reason : null,
        retryAt: db.raw(`sync_now() + interval '1 day'`),
        ...(!isRefused && { coversUntil: db.raw('sync_now()') }),
      });
      if (isRefused) log.info({ class: verdict, httpStatus }, 'beehiiv refuses our webhook');
    } finally {
      await row().where({ leasedBy }).update(end);
    }
  };
}

/**
 * Lists the webhooks, creates ours or adds what it lacks, then deletes our others, which have an
 * earlier secret. Returns the first answer that was not accepted, else the last.
 */
async function register(
  { rateLimiter, webhooks }: RegistrationDeps,
  eventsUrl: string,
  signal: AbortSignal,
): Promise<Verdict> {
  const takeSlot = () => rateLimiter.waitForSlot(signal, 'background');
  await takeSlot();
  const listed = await webhooks.list();
  if (!listed.page) return listed;
  const prefix = eventsUrl.slice(0, eventsUrl.lastIndexOf('/') + 1);
  const ours = listed.page.data.filter(({ url }) => url.startsWith(prefix));
  const current = ours.find(({ url }) => url === eventsUrl);
  let answer: Verdict = listed;
  if (!current?.hasAllTypes) {
    await takeSlot();
    answer = await (current ? webhooks.complete(current.id) : webhooks.create(eventsUrl));
  }
  for (const { id } of ours.filter((each) => each !== current)) {
    if (answer.class !== 'accepted') break;
    await takeSlot();
    answer = await webhooks.remove(id);
  }
  return answer;
}
