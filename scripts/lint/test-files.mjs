import { existsSync } from 'node:fs';

/**
 * Tests of more than one source, each with its reason. `vitest.config.ts` finds the contracts by
 * their name.
 */
export const WITHOUT_SOURCE = {
  'packages/platform/src/notices/alert-pages.test.ts': 'the pages in docs/alerts',
  'packages/platform/src/database/grants.test.ts': 'schema/grants.sql',
  'packages/platform/src/database/lead-counts.test.ts': 'the counters’ triggers, in SQL',
  'packages/platform/src/database/lead-table.test.ts': 'the constraints of leads, in SQL',
  'services/api/src/admin/money/overview.test.ts': 'figures against the lists of other folders',
  'services/api/src/admin/privacy/erasure-races.test.ts': 'erasures against any other write',
  'services/api/src/admin/privacy/personal-columns.test.ts': 'every column of the schema',
  'services/api/src/commands/commands.test.ts': 'all commands, as processes',
  'services/api/src/corrections/customer-email.test.ts': 'corrections against webhooks and Stripe',
  'services/api/src/http/fuzz.test.ts': 'random requests to every call',
  'services/api/src/http/hostile-requests.test.ts': 'attacks on every call',
  'services/api/src/leads/lead-fields.test.ts': 'a field from the form to the export',
  'services/api/src/billing/inbox/erased-person.test.ts': 'events after an erasure',
  'services/api/src/billing/inbox/invoice-end.test.ts': 'invoices that are never paid',
  'services/api/src/billing/inbox/event-order.test.ts': 'events in random order',
  'services/api/src/billing/inbox/subscription-life.test.ts': 'a year from checkout to the lists',
  'services/sandbox/src/contract/beehiiv.contract.test.ts': 'the sandbox and the real Beehiiv',
  'services/sandbox/src/contract/stripe.contract.test.ts': 'the sandbox and the real Stripe',
  'services/sandbox/src/control/demo-money.test.ts': 'scripts/tasks/demo-money.mjs',
  'services/sandbox/src/stripe/sdk-types.test.ts': 'every object and the types of Stripe’s SDK',
  'services/worker/src/sync/sync.health.test.ts': 'pauses and outages over many runs',
  'services/worker/src/sync/sync.lease.test.ts': 'runs, leases and outages together',
  'services/worker/src/sync/sync.model.test.ts': 'the sync against its model',
  'web/src/styles/breakpoints.test.ts': 'all style sheets',
};

const MAX_TITLE = 80;

const TEST = /\.(?:test|spec)\.tsx?$/;

/**
 * Returns the failure of a test file without a source of its name beside it. Journeys have none.
 */
export function findTestFailure(file, exceptions = WITHOUT_SOURCE, exists = existsSync) {
  if (!TEST.test(file) || file.startsWith('e2e/') || Object.hasOwn(exceptions, file))
    return undefined;
  const stem = file.replace(TEST, '');
  const isThere = ['ts', 'tsx', 'mjs'].some((extension) => exists(`${stem}.${extension}`));
  return isThere ? undefined : 'No source beside this test has its name';
}

/** Returns the failure of a test's title. */
export function findTitleFailure(title) {
  if (title.length > MAX_TITLE) return `A title has at most ${MAX_TITLE} characters`;
  return title.includes(';') ? 'A title is one sentence without semicolons' : undefined;
}
