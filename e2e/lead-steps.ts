import type { APIRequestContext } from '@playwright/test';
import type { LeadIntakeRequest } from '@site/schema/lead-intake';
import type { LeadInList } from '@site/schema/stored-lead';

import { postLead } from './console.ts';
import type { Operator } from './operator.ts';
import type { SandboxControl } from './sandbox-control.ts';
import { newVisitor } from './visitor.ts';
import type { Visitor } from './visitor.ts';

type Means = { request: APIRequestContext; operator: Operator };
type Given = { visitor?: Visitor; more?: Partial<LeadIntakeRequest> };
type Brought = { visitor: Visitor; lead: LeadInList };

/** A lead that is at Beehiiv. */
export async function addSent(means: Means, given: Given = {}): Promise<Brought> {
  return bring('sent', means, given);
}

/** A lead that Beehiiv refused this once; a retry sends it. */
export async function addRefused(
  { sandbox, ...means }: Means & { sandbox: SandboxControl },
  given: Given = {},
): Promise<Brought> {
  // Not a number of times: what is asked about somebody else meanwhile would use them up.
  await sandbox.fault({ target: 'beehiiv', mode: 'status', status: 422 });
  const brought = await bring('failed', means, given);
  await sandbox.heal();
  return brought;
}

/** A lead whose address Beehiiv never takes. */
export async function addFailed(means: Means, given: Given = {}): Promise<Brought> {
  return bring('failed', means, { visitor: newVisitor({ tag: '422' }), ...given });
}

/** A quarantined lead; the operator can send it. */
export async function addQuarantined(means: Means, given: Given = {}): Promise<Brought> {
  return bring('failed', means, {
    ...given,
    more: { website: 'https://buy.example', ...given.more },
  });
}

async function bring(
  status: 'sent' | 'failed',
  { request, operator }: Means,
  { visitor = newVisitor(), more }: Given,
): Promise<Brought> {
  await postLead(request, visitor, more);
  return { visitor, lead: await operator.untilLeadIs(visitor.email, status) };
}
