// @module-tag long
import { createLogger } from '@site/platform/process/logger';
import { test } from '@site/testing/fixtures';
import { breakEveryTable } from '@site/testing/refused-rows';
import express from 'express';
import type { Express } from 'express';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, vi } from 'vitest';
import { answerProblems } from './problem.ts';
import { requestContext } from './request-context.ts';

const MARKER = 'ada.lovelace@marker.example';

async function serve(app: Express, onTestFinished: (end: () => void) => void): Promise<string> {
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test.for([
  ['/api/lead/subscribe?email=priya@northgate.example', '/api/lead/subscribe'],
  ['/api/checkout/session/cs_test_a1b2', '/api/checkout/session/:id'],
  ['/api/beehiiv/events/priya-s-secret', '/api/beehiiv/events/:secret'],
  ['/API/beehiiv//events/priya-s-secret/', '/API/beehiiv/events/:secret'],
])('the log line of %s names %s', async ([address, path], { onTestFinished }) => {
  const lines: string[] = [];
  const write = vi
    .spyOn(process.stdout, 'write')
    .mockImplementation((text) => lines.push(String(text)) > 0);
  onTestFinished(() => write.mockRestore());
  const log = createLogger({ service: 'api', level: 'debug' });
  const url = await serve(express().use(requestContext(log)), onTestFinished);

  await fetch(url + address);

  await expect.poll(() => lines).toHaveLength(1);
  expect(JSON.parse(lines[0]!).req.path).toBe(path);
  expect(lines[0]).not.toMatch(/priya|cs_test/);
});

test('a request that fails on a refused row logs the error without the row', async ({
  db,
  onTestFinished,
}) => {
  const errors = [...(await breakEveryTable(db, MARKER)).values()].flat();
  const log = createLogger({ service: 'api', level: 'trace' });
  const app = express().use(requestContext(log));
  app.get('/:number', ({ params }) => {
    throw errors[Number(params.number)] as Error;
  });
  const url = await serve(app.use(answerProblems(log)), onTestFinished);
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());

  const answers = await Promise.all(
    errors.map(async (_, number) => (await fetch(`${url}/${number}`)).status),
  );
  await nextTurn();

  expect(new Set(answers)).toEqual(new Set([500]));
  const lines = write.mock.calls.flatMap(([text]) => String(text).trim().split('\n'));
  expect(
    lines.filter((line) => line.includes('"message":"database error 23502"')).length,
  ).toBeGreaterThan(10);
  expect(lines.filter((line) => /marker|Failing row|invalid input/i.test(line))).toHaveLength(0);
});
