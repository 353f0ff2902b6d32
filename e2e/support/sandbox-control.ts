import { expect } from '@playwright/test';
import { SANDBOX_CREDENTIALS } from '@site/schema/sandbox-credentials';

/** A subscriber on the sandbox's Beehiiv list. */
export type ListedSubscriber = {
  email: string;
  status: string;
  subscription_tier: 'free' | 'premium';
  utm_source: string;
  utm_campaign: string;
  custom_fields: { name: string; value: unknown }[];
  last_request: { double_opt_override?: string; reactivate_existing?: boolean } | null;
};

type Payer = { email: string; fullName: string };

const GOOD_CARD = '4242424242424242';

type SeenRequest = { number: number; target: string; method: string; path: string };

type Fault = {
  target: 'beehiiv' | 'stripe';
  mode: 'status' | 'hang' | 'reset' | 'slow';
  status?: number;
  times?: number;
  delayMs?: number;
};

export type SandboxControl = ReturnType<typeof createSandboxControl>;

/** The sandbox's controls and lists. */
export function createSandboxControl(sandboxUrl: string) {
  const isFaulty = new Set<Fault['target']>();

  async function call<T>(path: string, body?: unknown): Promise<T> {
    const answer = await fetch(`${sandboxUrl}/_control${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    expect(answer.ok, text).toBe(true);
    return JSON.parse(text) as T;
  }

  return {
    async fault(fault: Fault): Promise<void> {
      isFaulty.add(fault.target);
      await call('/faults', fault);
    },
    async heal(): Promise<void> {
      for (const target of isFaulty) await call('/faults', { target, mode: 'ok' });
      isFaulty.clear();
    },
    async subscriber(email: string): Promise<ListedSubscriber | undefined> {
      const { subscriptions } = await call<{ subscriptions: ListedSubscriber[] }>(
        '/beehiiv/subscriptions',
      );
      return subscriptions.find((subscriber) => subscriber.email === email);
    },
    /** Deletes a subscriber, as somebody at Beehiiv might. */
    async loseSubscriber(email: string): Promise<void> {
      const { beehiivApiKey, beehiivPublicationId } = SANDBOX_CREDENTIALS;
      const list = `${sandboxUrl}/v2/publications/${beehiivPublicationId}/subscriptions`;
      const headers = { Authorization: `Bearer ${beehiivApiKey}` };
      const found = await fetch(`${list}/by_email/${encodeURIComponent(email)}`, { headers });
      const { data } = (await found.json()) as { data: { id: string } };
      expect((await fetch(`${list}/${data.id}`, { method: 'DELETE', headers })).status).toBe(204);
    },
    /** Reads the emails to the owner that the sandbox has caught, newest first. */
    async mails(): Promise<string[]> {
      const front = await (await fetch(sandboxUrl)).text();
      const paths = [...front.matchAll(/href="(\/mail\/\d+)"/g)].map(([, path]) => path);
      return Promise.all(paths.map(async (path) => (await fetch(`${sandboxUrl}${path}`)).text()));
    },
    /**
     * Moves the sandbox's Stripe clock. Forward, trials end, periods renew and cards fail. Back,
     * existing objects stay.
     */
    async moveStripeClock(days: number): Promise<void> {
      await call('/clock', days < 0 ? { backDays: -days } : { days });
    },
    /** Pays a checkout without a browser. */
    async pay(
      checkoutUrl: string,
      { email, fullName }: Payer,
      cardNumber = GOOD_CARD,
    ): Promise<void> {
      const body = new URLSearchParams({ email, name: fullName, cardNumber });
      const answer = await fetch(checkoutUrl, { method: 'POST', redirect: 'manual', body });
      expect(answer.status).toBe(303);
    },
    /** Reads an object or a list from Stripe, by its path below `/v1`. */
    async readStripe<T>(path: string): Promise<T> {
      const headers = { Authorization: `Bearer ${SANDBOX_CREDENTIALS.stripeSecretKey}` };
      const answer = await fetch(`${sandboxUrl}/v1/${path}`, { headers });
      const text = await answer.text();
      expect(answer.ok, text).toBe(true);
      return JSON.parse(text) as T;
    },
    /** Counts the requests to Stripe so far. */
    async countStripeRequests(method: string, path: string): Promise<number> {
      const { requests } = await call<{ requests: SeenRequest[] }>('/requests?target=stripe');
      return requests.filter((request) => request.method === method && request.path === path)
        .length;
    },
  };
}
