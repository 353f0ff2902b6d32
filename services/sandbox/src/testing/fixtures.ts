import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import axios from 'axios';
import type { AxiosInstance } from 'axios';
import Stripe from 'stripe';
import { onTestFinished } from 'vitest';
import { checkBeehiivAnswer } from '../contract/beehiiv-schema.ts';
import type { Sandbox, SandboxOptions } from '../sandbox.ts';
import { createSandbox } from '../sandbox.ts';

/** Starts a sandbox for this test and closes it when the test ends. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const sandbox = await createSandbox(options);
  onTestFinished(() => sandbox.close());
  return sandbox;
}

/**
 * Creates a client of the Beehiiv sandbox that returns every answer, refusals included. It throws
 * if an answer is not as in Beehiiv's published document.
 */
export function beehiivClient(sandbox: Sandbox): AxiosInstance {
  const client = axios.create({
    baseURL: `${sandbox.url}/v2/publications/${sandbox.credentials.beehiivPublicationId}`,
    headers: { Authorization: `Bearer ${sandbox.credentials.beehiivApiKey}` },
    validateStatus: () => true,
    timeout: 5_000,
  });
  client.interceptors.response.use((answer) => {
    const { method = 'get', url = '/' } = answer.config;
    const body = answer.data === '' ? null : answer.data;
    // A fault that a test has set.
    if (typeof body === 'string') return answer;
    const faults = checkBeehiivAnswer({
      method: method.toUpperCase(),
      path: url,
      status: answer.status,
      body,
    });
    if (faults.length > 0)
      throw new Error(`${method} ${url} is not as in Beehiiv's document: ${faults.join('; ')}`);
    return answer;
  });
  return client;
}

export function stripeClient(sandbox: Sandbox) {
  return new Stripe(sandbox.credentials.stripeSecretKey, {
    host: '127.0.0.1',
    port: sandbox.port,
    protocol: 'http',
    telemetry: false,
    maxNetworkRetries: 0,
    timeout: 5_000,
  });
}

/** Creates a monthly price. */
export const createPrice = (stripe: Stripe) =>
  stripe.prices.create({
    product_data: { name: 'Ledger' },
    currency: 'gbp',
    unit_amount: 23_900,
    recurring: { interval: 'month' },
  });

/** Starts a webhook endpoint that keeps each delivery's body. */
export async function startWebhookEndpoint() {
  const bodies: Buffer[] = [];
  const server = createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      bodies.push(Buffer.concat(chunks));
      res.writeHead(200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, bodies };
}
