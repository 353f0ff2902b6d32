// @module-tag long
import axios from 'axios';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { beehiivClient, startSandbox } from '../testing/fixtures.ts';

type Received = { event_type: string; data: { email: string; status: string }; uid: string };
const settled = { timeout: 10_000 };

/** Starts a receiver and registers it. */
async function setUp() {
  const received: Received[] = [];
  const server = createServer((req, res) => {
    let body = '';
    req.on('data', (part) => (body += String(part)));
    req.on('end', () => {
      received.push(JSON.parse(body) as Received);
      res.writeHead(204).end();
    });
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const sandbox = await startSandbox();
  const beehiiv = beehiivClient(sandbox);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/events/secret`;
  const types = ['subscription.confirmed', 'subscription.deleted', 'subscription.upgraded'];
  await beehiiv.post('/webhooks', { url, event_types: types });
  const press = (path: string, body: object) => axios.post(`${sandbox.url}/_control${path}`, body);
  return {
    received,
    beehiiv,
    press,
    seen: () => received.map((event) => event.event_type),
  };
}

const pending = { email: 'ada@reader.example', double_opt_override: 'on' };

test('the sandbox sends the events that a webhook asks for, as documented', async () => {
  const { beehiiv, press, received, seen } = await setUp();
  await beehiiv.post('/subscriptions', pending);
  for (const action of ['confirm', 'premium', 'unsubscribe'])
    await press(`/beehiiv/${action}`, { email: pending.email });

  await vi.waitFor(() => expect(received).toHaveLength(3), settled);
  expect(seen().toSorted()).toEqual([
    'subscription.confirmed',
    'subscription.deleted',
    'subscription.upgraded',
  ]);
  const left = received.find((event) => event.event_type === 'subscription.deleted');
  expect(left).toMatchObject({
    uid: expect.any(String),
    event_timestamp: expect.any(Number),
    data: { email: pending.email, status: 'inactive', subscription_tier: 'premium' },
  });
});

test('the sandbox’s faults make events late, double, or lost', async () => {
  const { beehiiv, press, received, seen } = await setUp();
  await beehiiv.post('/subscriptions', pending);
  await press('/beehiiv/events', { drop: true });
  await press('/beehiiv/confirm', { email: pending.email });
  await press('/beehiiv/events', { duplicate: true, delayMs: 700 });
  await press('/beehiiv/premium', { email: pending.email });
  await press('/beehiiv/events', {});
  await press('/beehiiv/unsubscribe', { email: pending.email });

  await vi.waitFor(() => expect(received).toHaveLength(3), settled);
  expect(seen()).toEqual([
    'subscription.deleted',
    'subscription.upgraded',
    'subscription.upgraded',
  ]);
});
