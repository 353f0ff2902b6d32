import express from 'express';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { pinoHttp } from 'pino-http';
import { expect, test } from 'vitest';
import { requestContext } from './request-context.ts';

test.for([
  ['/api/lead/subscribe?email=priya@northgate.example', '/api/lead/subscribe'],
  ['/api/checkout/session/cs_test_a1b2', '/api/checkout/session/:id'],
])('the log line of %s names %s', async ([address, path], { onTestFinished }) => {
  const lines: string[] = [];
  const { logger } = pinoHttp({ level: 'debug' }, { write: (line: string) => void lines.push(line) });
  const app = express().use(requestContext(logger));
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');

  await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${address}`);

  await expect.poll(() => lines).toHaveLength(1);
  expect(JSON.parse(lines[0]!).req.path).toBe(path);
  expect(lines[0]).not.toMatch(/priya|cs_test/);
});
