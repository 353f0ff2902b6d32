import type { Database } from '@site/platform/database/connect';
import { task } from '@site/platform/database/task';
import { error, ok, warning, examine } from '@site/platform/doctor/findings';
import type { Finding } from '@site/platform/doctor/findings';
import { createBeehiivAdapter } from '../newsletter/beehiiv/beehiiv.adapter.ts';
import type { BeehiivClient } from '../newsletter/beehiiv/beehiiv.client.ts';
import type { RateLimiter } from '../newsletter/rate-limiter.ts';
import type { NewsletterPage } from '../newsletter/newsletter.port.ts';
import { toAnswerText } from '@site/schema/beehiiv-answers';
import { listCustomFields } from '@site/schema/lead-fields';
import { createBeehiivClient } from '../newsletter/beehiiv/beehiiv.client.ts';
import { createRateLimiter } from '../newsletter/rate-limiter.ts';
import { readFieldNames } from '../newsletter/field-catalog.ts';
import { workerSettings } from '../settings.ts';

export function examineWorker(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  return examine('worker settings', workerSettings, env, (settings, db) => {
    const rateLimiter = createRateLimiter(db, settings.requestsPerMinute);
    const client = createBeehiivClient(settings.beehiiv);
    return {
      'worker settings': () => Promise.resolve([ok('worker settings', 'all usable')]),
      Beehiiv: () => examineBeehiiv({ client, rateLimiter }),
      [NEWS]: () => examineNews(db, settings.eventsUrl !== null),
    };
  });
}

/** A person waits for the result, so a longer wait for a slot becomes a finding. */
const SLOT_TIMEOUT_MS = 20_000;

type BeehiivDeps = { client: BeehiivClient; rateLimiter: RateLimiter };

/** Checks that Beehiiv accepts key and publication, and has our custom fields. */
async function examineBeehiiv({ client, rateLimiter }: BeehiivDeps): Promise<Finding[]> {
  const newsletter = createBeehiivAdapter(client);
  const { names, answer } = await readFieldNames(newsletter, () => {
    const signal = AbortSignal.timeout(SLOT_TIMEOUT_MS);
    return rateLimiter.waitForSlot(signal).catch((failure: unknown) => {
      if (signal.aborted) return false;
      throw failure;
    });
  });
  if (!answer) return [NO_SLOT];
  if (!answer.page) return [explain(answer)];
  return [ok('Beehiiv', 'accepts key and publication'), examineFields(names)];
}

const NEWS = 'Beehiiv’s news';

/** Says whether a worker has registered our webhook. */
async function examineNews(db: Database, isSetUp: boolean): Promise<Finding[]> {
  if (!isSetUp) return [ok(NEWS, 'not set up, compared each night')];
  const registered = await task(db, 'beehiiv-events').first();
  if (registered?.failure === 'key-not-allowed') {
    const remedy = 'Beehiiv has webhooks from its Scale plan on. Nothing is lost without them.';
    return [warning(NEWS, 'not available on your plan, compared each night', remedy)];
  }
  if (registered?.failure)
    return [
      warning(NEWS, toAnswerText(registered.failure), 'Correct it, then restart the worker.'),
    ];
  return registered?.coversUntil
    ? [ok(NEWS, 'arrives at once')]
    : [warning(NEWS, 'not registered yet', 'Start the worker, which registers the webhook.')];
}

const NO_SLOT = warning(
  'Beehiiv',
  'not checked: no slot of the rate limiter was free within 20 s, because leads are being ' +
    'sent or after a 429',
  'Run this again in a few minutes.',
);

function explain({ class: verdict, message, setting }: NewsletterPage<unknown>): Finding {
  if (verdict === 'rate-limited') return warning('Beehiiv', message, 'Run this again in a minute.');
  const remedy =
    verdict === 'configuration'
      ? `Set ${setting ?? 'BEEHIIV_API_KEY'} to the value that Beehiiv shows for this account.`
      : 'Check the network, BEEHIIV_API_URL and status.beehiiv.com.';
  return error('Beehiiv', message, remedy);
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
