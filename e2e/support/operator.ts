import { expect } from '@playwright/test';
import type { BrowserContext, Page } from '@playwright/test';
import type { LeadCounts, LeadListAnswer } from '@site/schema/calls/leads';
import type { PersonAnswer } from '@site/schema/calls/people';
import type { BeehiivStatus } from '@site/schema/lead';
import type { LeadInList } from '@site/schema/stored-lead';

/** An operator who is logged in to the console, in their own browser. */
export type Operator = {
  page: Page;
  /** Lists the leads with an email, newest first, through the console's own call. */
  leadsOf(email: string): Promise<LeadInList[]>;
  counts(): Promise<LeadCounts>;
  /** Reads the person of a lead through the console's own call. */
  personOf(leadId: string): Promise<PersonAnswer>;
  /** Waits until an email's only lead has a status, and returns the lead. */
  untilLeadIs(email: string, status: BeehiivStatus): Promise<LeadInList>;
};

export async function logIn(
  context: BrowserContext,
  login: { username: string; password: string },
): Promise<Operator> {
  const answer = await context.request.post('/api/admin/login', { data: login });
  expect(answer.status(), await answer.text()).toBe(200);

  async function list(query: Record<string, string>): Promise<LeadListAnswer> {
    const page = await context.request.get('/api/admin/leads', { params: query });
    expect(page.status()).toBe(200);
    return (await page.json()) as LeadListAnswer;
  }
  const leadsOf = async (email: string) => (await list({ search: email })).leads;

  return {
    page: await context.newPage(),
    leadsOf,
    counts: async () => (await list({})).counts,
    async personOf(leadId) {
      const answer = await context.request.get(`/api/admin/leads/${leadId}/person`);
      expect(answer.status()).toBe(200);
      return (await answer.json()) as PersonAnswer;
    },
    async untilLeadIs(email, status) {
      await expect
        .poll(async () => (await leadsOf(email)).map((lead) => lead.beehiivStatus), {
          message: `status of ${email}`,
          intervals: [100, 200, 300],
        })
        .toEqual([status]);
      const [lead] = await leadsOf(email);
      if (lead === undefined) throw new Error(`${email} has no lead any more`);
      return lead;
    },
  };
}
