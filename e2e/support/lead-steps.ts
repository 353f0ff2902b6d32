import { expect } from '@playwright/test';
import type { APIRequestContext } from '@playwright/test';
import type { LeadSubscription } from '@site/schema/calls/subscriptions';
import type { LeadIntakeRequest } from '@site/schema/lead-intake';
import { OFFER } from '@site/schema/offer';
import type { LeadInList } from '@site/schema/stored-lead';

import { postLead } from './console.ts';
import type { Operator } from './operator.ts';
import type { SandboxControl } from './sandbox-control.ts';
import { newVisitor } from './visitor.ts';
import type { Visitor } from './visitor.ts';

const FAST = { intervals: [100, 200, 300] };

type Means = { request: APIRequestContext; operator: Operator };
type Given = { visitor?: Visitor; more?: Partial<LeadIntakeRequest> };
type Brought = { visitor: Visitor; lead: LeadInList };

/** Adds a lead that is at Beehiiv. */
export async function addSent(means: Means, given: Given = {}): Promise<Brought> {
  return bring('sent', means, given);
}

/** Adds leads that Beehiiv refuses once, oldest first. A retry sends them. */
export async function addRefused(
  { sandbox, request, operator }: Means & { sandbox: SandboxControl },
  visitors: readonly Visitor[],
): Promise<void> {
  // Without a count, because requests about other leads would use it up.
  await sandbox.fault({ target: 'beehiiv', mode: 'status', status: 400 });
  for (const visitor of visitors) await postLead(request, visitor);
  for (const { email } of visitors) await operator.untilLeadIs(email, 'failed');
  await sandbox.heal();
}

/** Adds a lead whose email Beehiiv always refuses. */
export async function addFailed(means: Means, given: Given = {}): Promise<Brought> {
  return bring('failed', means, { visitor: newVisitor({ tag: '422' }), ...given });
}

/** Adds a quarantined lead, which the operator can send. */
export async function addQuarantined(means: Means, given: Given = {}): Promise<Brought> {
  return bring('failed', means, {
    ...given,
    more: { website: 'https://buy.example', ...given.more },
  });
}

/** Retries leads without the console, and without waiting for their backoff. */
export async function retryAtOnce(operator: Operator, emails: readonly string[]): Promise<void> {
  const leads = await Promise.all(emails.map(async (email) => operator.leadsOf(email)));
  const ids = leads.flat().map(({ id }) => id);
  const answer = await operator.page.request.post('/api/admin/leads/retry', { data: { ids } });
  expect(answer.ok(), await answer.text()).toBe(true);
}

/** Adds a payer whose trial has just ended. Stripe's clock ends at its earlier time. */
export async function addPayer(
  { request, operator, sandbox }: Means & { sandbox: SandboxControl },
  { visitor = newVisitor(), more }: Given = {},
): Promise<{ visitor: Visitor; leadId: string; subscription: LeadSubscription }> {
  const leadId = await postLead(request, visitor, more);
  await sandbox.moveStripeClock(-OFFER.trialDays);
  const data = { email: visitor.email, leadId };
  const answer = await request.post('/api/checkout/session', { data });
  expect(answer.status(), await answer.text()).toBe(200);
  await sandbox.pay(((await answer.json()) as { url: string }).url, visitor);
  await sandbox.moveStripeClock(OFFER.trialDays);
  const read = async () => (await operator.personOf(leadId)).subscriptions;
  await expect.poll(async () => (await read())[0]?.stage, FAST).toBe('paying');
  const [subscription] = await read();
  return { visitor, leadId, subscription: subscription! };
}

async function bring(
  status: 'sent' | 'failed',
  { request, operator }: Means,
  { visitor = newVisitor(), more }: Given,
): Promise<Brought> {
  await postLead(request, visitor, more);
  return { visitor, lead: await operator.untilLeadIs(visitor.email, status) };
}
