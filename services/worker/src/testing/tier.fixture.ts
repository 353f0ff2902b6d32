import { test as base } from '@site/sandbox/testing/sandbox.fixture';
import { storeLead } from '@site/testing/builders';
import type { Database } from '@site/platform/database/connect';
import { createLogger } from '@site/platform/process/logger';
import type { Sandbox } from '@site/sandbox/sandbox';
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { SyncDeps } from '../sync/sync.processor.ts';
import { connectTestNewsletter } from './worker.fixture.ts';

/** `test` with the deps of the tier processor. */
export const test = base.extend('deps', ({ db, sandbox }) => depsOf(db, sandbox));

export const EMAIL = 'priya@acquirers.example';
export const RUN = new AbortController().signal;
export const DELIVERY = {
  sendWelcomeEmail: false,
  doubleOptIn: 'not_set' as const,
  automations: { pre_buy: [], pre_sample: [] },
};

export function depsOf(
  db: Database,
  sandbox: Sandbox,
  options: { apiKey?: string } = {},
): SyncDeps {
  return {
    ...connectTestNewsletter({ sandbox, ...options }, db),
    delivery: DELIVERY,
    db,
    backoffBaseMs: 30_000,
    random: () => 0.5,
    newId: randomUUID,
    worker: 'test-worker',
    log: createLogger({ service: 'worker', level: 'silent' }),
  };
}

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
