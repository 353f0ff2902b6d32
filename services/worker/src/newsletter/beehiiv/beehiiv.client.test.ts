import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { classAnswer } from './beehiiv.answers.ts';
import { createBeehiivClient } from './beehiiv.client.ts';

async function ask(listener: RequestListener) {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const client = createBeehiivClient({
    apiUrl: `http://127.0.0.1:${port}/v2`,
    apiKey: 'key',
    publicationId: 'pub_1',
    timeoutMs: 500,
  });
  return client.send({ method: 'POST', path: '/subscriptions', body: {} });
}

test('the Beehiiv client stops reading a huge response and reports no answer', async () => {
  const answer = await ask((_req, res) => res.end(`{"data":"${'x'.repeat(3_000_000)}"}`));

  expect(answer).toMatchObject({ kind: 'no-answer', mayHaveArrived: true });
  expect(classAnswer('add', answer)).toMatchObject({ class: 'transient', isOutcomeKnown: false });
});

test('the Beehiiv client times out on a response that trickles in', async () => {
  const answer = await ask((_req, res) => {
    const drip = setInterval(() => res.write(' '), 50);
    res.on('close', () => clearInterval(drip));
  });

  expect(answer).toEqual({ kind: 'no-answer', code: 'ETIMEDOUT', mayHaveArrived: true });
});

test('the Beehiiv client follows no redirect', async () => {
  const answer = await ask((_req, res) =>
    res.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end(),
  );

  expect(answer).toMatchObject({ kind: 'answer', status: 302 });
});
