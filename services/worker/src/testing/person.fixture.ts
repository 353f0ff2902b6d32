import { test as base } from '@site/sandbox/testing/sandbox.fixture';
import { storeLead } from '@site/testing/builders';
import type { Database } from '@site/platform/database/connect';
import type { Sandbox } from '@site/sandbox/sandbox';
import { expect } from 'vitest';
import { servePeople } from '../person/person.processor.ts';
import type { SyncDeps } from '../sync/sync.processor.ts';
import { buildSyncDeps } from './sync-deps.ts';
import { connectTestNewsletter } from './worker.fixture.ts';

/** `test` with the deps of a run, connected to the sandbox. */
export const test = base.extend('deps', ({ db, sandbox }) => depsOf(db, sandbox));

export const EMAIL = 'priya@acquirers.example';
export const RUN = new AbortController().signal;
export const SENT = { beehiivStatus: 'sent', nextAttemptAt: null } as const;

/** Serves the tiers and removals that are due. */
export const serveUrgent = (deps: SyncDeps) => servePeople(deps, 'lead', RUN);
/** Serves the checks, consents and remedies that are due. */
export const serveBackground = (deps: SyncDeps) => servePeople(deps, 'background', RUN);

export const depsOf = (
  db: Database,
  sandbox: Sandbox,
  options: { apiKey?: string } = {},
): SyncDeps => buildSyncDeps(db, connectTestNewsletter({ sandbox, ...options }, db));

/** Returns deps whose newsletter answers differently. */
export const withNewsletter = (
  deps: SyncDeps,
  changes: Partial<SyncDeps['newsletter']>,
): SyncDeps => ({ ...deps, newsletter: { ...deps.newsletter, ...changes } });

const callBeehiiv = ({ url, credentials }: Sandbox, method: string, path: string, body: object) =>
  fetch(`${url}/v2/publications/${credentials.beehiivPublicationId}/subscriptions${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${credentials.beehiivApiKey}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify(body),
  });

/** Adds a subscriber to the sandbox. */
export async function subscribe(sandbox: Sandbox, email = EMAIL, more: object = {}) {
  expect((await callBeehiiv(sandbox, 'POST', '', { email, ...more })).status).toBe(201);
}

/** The reader leaves at the sandbox. */
export const leave = (sandbox: Sandbox, email = EMAIL) =>
  callBeehiiv(sandbox, 'PUT', `/by_email/${email}`, { unsubscribe: true });

/** Stores a sent lead and its subscriber. */
export async function storeSubscriber(
  db: Database,
  sandbox: Sandbox,
  email = EMAIL,
  more: object = {},
) {
  await subscribe(sandbox, email, more);
  return storeLead(db, { ...SENT, email, beehiivSentAt: new Date() });
}

export const tierOf = (sandbox: Sandbox, email = EMAIL) =>
  sandbox.beehiiv.find(email)?.subscription_tier;
export const statusOf = (sandbox: Sandbox, email = EMAIL) => sandbox.beehiiv.find(email)?.status;
