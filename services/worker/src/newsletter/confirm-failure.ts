import { readSyncHealth } from '@site/platform/health/sync-health';
import type { Database } from '@site/platform/database/connect';
import { toJudged } from '@site/schema/beehiiv-answers';
import type { NewsletterPort, Verdict } from './newsletter.port.ts';
import type { RateLimiter } from './rate-limiter.ts';

type ConfirmDeps = {
  db: Database;
  rateLimiter: RateLimiter;
  newsletter: Pick<NewsletterPort, 'listFields'>;
};

/**
 * Confirms a configuration failure by a request without a lead, before the sync pauses for
 * everybody. If that request is accepted or fails in another way, the failure becomes a transient
 * failure of the lead or tier. Returns other answers unchanged.
 */
export async function confirmFailure<T extends Verdict>(
  answer: T,
  deps: ConfirmDeps,
  signal: AbortSignal,
): Promise<T> {
  if (answer.class !== 'configuration') return answer;
  const isOpen = async () => !(await readSyncHealth(deps.db)).isPausedBySetting;
  if (!(await isOpen()) || !(await deps.rateLimiter.waitForSlot(signal, 'lead', isOpen)))
    return answer;
  const confirmation = await deps.newsletter.listFields(1);
  if (confirmation.class === 'configuration') {
    const { reason, setting, message } = confirmation;
    return { ...answer, reason, message, ...(setting === undefined ? {} : { setting }) };
  }
  const { setting: _, ...rest } = answer;
  return {
    ...(rest as T),
    ...toJudged('this-request-only'),
    message: `${answer.message}, for this request only`,
  };
}

/**
 * Confirms that Beehiiv does not know an email, because with a wrong publication everybody seems
 * absent. Returns the answer, or the answer that shows why it is unreliable.
 */
export async function confirmAbsence<T extends Verdict>(
  newsletter: Pick<NewsletterPort, 'listFields'>,
  answer: T,
): Promise<T | Verdict> {
  const fields = await newsletter.listFields(1);
  return fields.class === 'accepted' ? answer : fields;
}
