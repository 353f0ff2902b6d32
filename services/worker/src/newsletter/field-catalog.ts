import type { Database } from '@site/platform/database/connect';
import { recordCheck, recordFields } from '@site/platform/health/sync-health';
import type { Logger } from '@site/platform/process/logger';
import type { RateLimiter } from './rate-limiter.ts';
import type { NewsletterPort } from './newsletter.port.ts';
import { listCustomFields } from '@site/schema/lead-fields';

/**
 * The publication's custom fields. Beehiiv drops unknown fields silently, so we do not send them.
 */
export type FieldCatalog = {
  /** Returns the fields that the publication has, or all fields before its list is read. */
  keepKnown(fields: Record<string, string>): Record<string, string>;
  /**
   * Reads the publication's list. Records Beehiiv's answer and the missing fields for the operator.
   */
  refresh(signal: AbortSignal): Promise<void>;
};

export function createFieldCatalog(deps: {
  db: Database;
  rateLimiter: RateLimiter;
  newsletter: NewsletterPort;
  log: Logger;
}): FieldCatalog {
  let existing: Set<string> | null = null;
  return {
    keepKnown(fields) {
      if (existing === null) return fields;
      return Object.fromEntries(Object.entries(fields).filter(([name]) => existing?.has(name)));
    },
    async refresh(signal) {
      const { names, answer } = await readFieldNames(deps.newsletter, () =>
        deps.rateLimiter.waitForSlot(signal, 'background'),
      );
      if (!answer) return;
      const { reason, class: verdict, httpStatus } = answer;
      await recordCheck(deps.db, reason);
      if (!answer.page) {
        deps.log.info({ class: verdict, httpStatus }, 'custom fields could not be read');
        return;
      }
      existing = new Set(names);
      const missing = listCustomFields().filter((name) => !existing?.has(name));
      if (await recordFields(deps.db, missing))
        deps.log.warn({ missing }, 'the publication lacks custom fields');
    },
  };
}

/**
 * Reads the names of all fields, each page with a slot. Returns them with the last answer, which
 * has no page if they could not be read. The answer is null without a slot.
 */
export async function readFieldNames(
  newsletter: Pick<NewsletterPort, 'listFields'>,
  takeSlot: () => Promise<boolean>,
) {
  const names: string[] = [];
  for (let page = 1; ; page++) {
    const answer = (await takeSlot()) ? await newsletter.listFields(page) : null;
    names.push(...(answer?.page?.names ?? []));
    if (!answer?.page?.hasMore) return { names, answer };
  }
}
