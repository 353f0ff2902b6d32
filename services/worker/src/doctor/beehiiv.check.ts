import type { Clock } from '@site/platform/process/clock';
import { compareDateHeader, error, ok, warning } from '@site/platform/doctor/findings';
import type { Finding } from '@site/platform/doctor/findings';
import { TimeoutError, withTimeout } from '@site/platform/process/with-timeout';
import { createBeehiivAdapter } from '../newsletter/beehiiv/beehiiv.adapter.ts';
import type { BeehiivClient } from '../newsletter/beehiiv/beehiiv.client.ts';
import type { RateLimiter } from '../newsletter/rate-limiter.ts';
import type { NewsletterPage } from '../newsletter/newsletter.port.ts';
import { listCustomFields } from '@site/schema/lead-fields';

/** A person waits for the result, so a longer wait for a slot becomes a finding. */
const SLOT_TIMEOUT_MS = 20_000;

type BeehiivDeps = {
  client: BeehiivClient;
  rateLimiter: RateLimiter;
  clock: Clock;
  slotTimeoutMs?: number;
};

/** Checks that Beehiiv accepts key and publication, that it has our custom fields, and that the clocks agree. */
export async function examineBeehiiv({
  client,
  rateLimiter,
  clock,
  slotTimeoutMs = SLOT_TIMEOUT_MS,
}: BeehiivDeps): Promise<Finding[]> {
  let clocks: Finding[] = [];
  const newsletter = createBeehiivAdapter({
    async send(request) {
      const askedAt = clock.now().getTime();
      const answer = await client.send(request);
      const ours = new Date((askedAt + clock.now().getTime()) / 2);
      if (answer.kind === 'answer')
        clocks = compareDateHeader('Beehiiv', answer.headers['date'], ours);
      return answer;
    },
  });

  const names: string[] = [];
  for (let page = 1; ; page += 1) {
    if (!(await hasSlot(rateLimiter, slotTimeoutMs))) return [NO_SLOT];
    const answer = await newsletter.listFields(page);
    if (!answer.page) return [explain(answer), ...clocks];
    names.push(...answer.page.names);
    if (!answer.page.hasMore) break;
  }
  return [ok('Beehiiv', 'accepts key and publication'), examineFields(names), ...clocks];
}

async function hasSlot(rateLimiter: RateLimiter, timeoutMs: number): Promise<boolean> {
  try {
    await withTimeout(timeoutMs, ({ signal }) => rateLimiter.waitForSlot(signal));
    return true;
  } catch (fault) {
    if (fault instanceof TimeoutError) return false;
    throw fault;
  }
}

const NO_SLOT = warning(
  'Beehiiv',
  'not checked: no slot of the rate limiter was free within 20 s, because leads are being sent or after a 429',
  'Run this again in a few minutes.',
);

function explain({ class: verdict, message, setting }: NewsletterPage<unknown>): Finding {
  switch (verdict) {
    case 'configuration':
      return error(
        'Beehiiv',
        message,
        `Set ${setting ?? 'BEEHIIV_API_KEY'} to the value that Beehiiv shows for this account.`,
      );
    case 'rate-limited':
      return warning(
        'Beehiiv',
        message,
        'Run this again in a minute. Check whether another program uses the account.',
      );
    case 'accepted':
    case 'permanent':
    case 'transient':
      return error(
        'Beehiiv',
        message,
        'Check the network, BEEHIIV_API_URL and status.beehiiv.com.',
      );
  }
}

function examineFields(names: string[]): Finding {
  const ours = listCustomFields();
  const missing = ours.filter((name) => !names.includes(name));
  if (missing.length === 0) return ok('Beehiiv custom fields', `all ${ours.length} are there`);
  return warning(
    'Beehiiv custom fields',
    `the publication lacks ${missing.join(', ')}: leads are sent without them`,
    'Add them as text fields in Beehiiv, under Settings, Custom fields.',
  );
}
