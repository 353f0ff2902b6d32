import { test as base } from '@site/sandbox/testing/sandbox.fixture';
import { storeLead } from '@site/testing/builders';
import type { Database } from '@site/platform/database/connect';
import type { Sandbox } from '@site/sandbox/sandbox';
import { expect } from 'vitest';
import type { SyncDeps } from '../sync/sync.processor.ts';
import { buildSyncDeps } from './sync-deps.ts';
import { connectTestNewsletter } from './worker.fixture.ts';

/** `test` with the deps of the tier processor. */
export const test = base.extend('deps', ({ db, sandbox }) => depsOf(db, sandbox));

export const EMAIL = 'priya@acquirers.example';
export const RUN = new AbortController().signal;

export const depsOf = (
  db: Database,
  sandbox: Sandbox,
  options: { apiKey?: string } = {},
): SyncDeps => buildSyncDeps(db, connectTestNewsletter({ sandbox, ...options }, db));

/** Stores a sent lead and its subscriber. */
export async function storeSubscriber(
  db: Database,
  sandbox: Sandbox,
  email = EMAIL,
  more: object = {},
) {
  const { url, credentials } = sandbox;
  const answer = await fetch(
    `${url}/v2/publications/${credentials.beehiivPublicationId}/subscriptions`,
    {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${credentials.beehiivApiKey}`,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify({ email, ...more }),
    },
  );
  expect(answer.status).toBe(201);
  return storeLead(db, {
    email,
    beehiivStatus: 'sent',
    beehiivSentAt: new Date(),
    nextAttemptAt: null,
  });
}

export const tierOf = (sandbox: Sandbox, email = EMAIL) =>
  sandbox.beehiiv.find(email)?.subscription_tier;
