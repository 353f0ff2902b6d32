import { createLogger } from '@site/platform/process/logger';
import { LEAD_FIELDS } from '@site/schema/lead-fields';
import { parse } from 'csv-parse/sync';
import { storeLead } from '@site/testing/builders';
import express from 'express';
import fc from 'fast-check';
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'pg';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { test } from '../../testing/api.fixture.ts';
import { answerProblems } from '../../http/problem.ts';
import { requestContext } from '../../http/request-context.ts';
import { createCsvRows } from '../../http/send-csv.ts';
import { sendLeadsCsv } from './lead-csv.ts';

const TEXTS = ['fullName', 'company', 'phone', 'message', 'utmSource', 'beehiivResponse'] as const;
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }).map((typed) => typed.replaceAll('\0', '')),
  fc.stringMatching(/^[=+\-@"',;\r\n\t x]{0,6}$/),
  fc.constant(null),
);
/**
 * A spreadsheet may end a row at any line break, and a cell at every separator ticked in its import
 * dialog.
 */
const EVERY_SEPARATOR = { record_delimiter: ['\r\n', '\n', '\r'], delimiter: [',', ';', '\t'] };

/** Removes apostrophes, which keep a spreadsheet from running a text. Nothing else is added. */
const withoutGuards = (text = '') => text.replaceAll("'", '');

test('the CSV gives every lead back as it was', async ({ api, db }) => {
  const anyLead = fc.record(Object.fromEntries(TEXTS.map((name) => [name, anyText])));
  const given = fc.sample(anyLead, 300) as Record<string, string | null>[];
  for (const [n, texts] of given.entries())
    await storeLead(db, { ...texts, submittedAt: new Date(-n) });

  const { text: file } = await api.call('GET', '/api/admin/leads/export/csv', {
    headers: await api.logIn(),
  });

  const rows = parse<Record<string, string>>(file, {
    columns: true,
    bom: true,
    ...EVERY_SEPARATOR,
  });
  expect(rows).toHaveLength(given.length);
  for (const [n, row] of rows.entries()) {
    expect(Object.keys(row).slice(0, 3)).toEqual(['fullName', 'email', 'company']);
    expect(Object.keys(row).toSorted()).toEqual(Object.keys(LEAD_FIELDS).toSorted());
    for (const name of TEXTS) {
      expect(withoutGuards(row[name])).toBe(withoutGuards(given[n]?.[name] ?? ''));
    }
  }
});

test('the CSV ends every row with CR and LF and keeps line breaks in cells', async () => {
  const cell = fc
    .stringMatching(/^a(?:[a"]|\r|\n|\r\n){0,8}$/)
    .map((typed) => `"${typed.replaceAll('"', '""')}"`);
  const row = fc.array(cell, { minLength: 1, maxLength: 3 }).map((cells) => cells.join(','));
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { maxLength: 5 }),
      fc.integer({ min: 1, max: 9 }),
      async (rows, size) => {
        const file = Buffer.from(rows.map((line) => `${line}\n`).join(''));
        const chunks = Array.from({ length: Math.ceil(file.length / size) }, (_, n) =>
          file.subarray(n * size, (n + 1) * size),
        );

        const ended = await text(Readable.from(chunks).pipe(createCsvRows()));

        expect(ended).toBe(rows.map((line) => `${line}\r\n`).join(''));
      },
    ),
  );
});

test('the CSV takes any text as a search, and none of it becomes SQL', async ({ operator, db }) => {
  const hostile = [`o'hara`, `\\'); drop table leads --`, '$1', `E'\\x27'`, `%_\\`, `"quoted"`];
  for (const fullName of hostile) await storeLead(db, { fullName });

  for (const search of hostile) {
    const path = `?search=${encodeURIComponent(search)}`;
    const { text: file } = await operator.get(`leads/export/csv${path}`);
    const { json } = await operator.get(`leads${path}`);
    const names = parse<{ fullName: string }>(file, { columns: true, bom: true }).map(
      ({ fullName }) => fullName,
    );
    expect(names).toEqual(json.leads.map(({ fullName }: { fullName: string }) => fullName));
    expect(names).toContain(search);
  }
});

test('the CSV leaves errors to the error handler until its first bytes have been sent', async ({
  api,
  onTestFinished,
}) => {
  const away = new Pool({ connectionString: 'postgres://nobody@127.0.0.1:1/none' });
  onTestFinished(() => away.end());
  const app = express();
  app.use(requestContext(api.deps.log));
  app.get('/', async (_req, res) => sendLeadsCsv({ ...api.deps, exportPool: away }, {}, res));
  app.use(answerProblems(createLogger({ service: 'api', level: 'silent' })));
  const server = createServer(app).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');

  const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);

  expect(answer.status).toBe(503);
  expect(answer.headers.get('content-type')).toContain('application/problem+json');
  expect(answer.headers.get('content-disposition')).toBeNull();
});

test('the CSV cuts off a client that is too slow, and the file does not look whole', async ({
  api,
  db,
}) => {
  await db.raw(
    `insert into leads (id, email, form_type, message)
       select gen_random_uuid(), n || '@reader.example', 'pre_buy', repeat('x', 4000) from generate_series(1, 5000) n`,
  );
  const time = new AbortController();
  const app = express();
  app.get('/', async (_req, res) =>
    sendLeadsCsv(api.deps, {}, res, time.signal).catch(() => undefined),
  );
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');

  const [answer] = (await once(
    get(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`),
    'response',
  )) as [IncomingMessage];
  // The client reads nothing, as on a poor connection, until time is up.
  time.abort();
  await expect
    .poll(async () => (await countReading(api.deps.db)) === 0, { timeout: 5_000 })
    .toBe(true);
  const reading = text(answer);

  await expect(reading).rejects.toThrow('aborted');
  server.close();
});

test('the CSV’s first bytes are a byte-order mark and a harmless name', async ({ api }) => {
  const answer = await fetch(`${api.url}/api/admin/leads/export/csv`, {
    headers: await api.logIn(),
  });
  const file = Buffer.from(await answer.arrayBuffer());

  // Excel would take "ID" for a SYLK file, and would obey "sep=" without showing it.
  expect(file.subarray(0, 12).toString('latin1')).toBe('\u00EF\u00BB\u00BFfullName,');
});

test('text in the CSV is quoted, times and flags are not', async ({ api, db }) => {
  await storeLead(db, { phone: '07700900123', submittedAt: new Date(0), consentMarketing: true });

  const { text } = await api.call('GET', '/api/admin/leads/export/csv', {
    headers: await api.logIn(),
  });

  const cells = text.split('\r\n')[1]?.split(',');
  expect(cells).toEqual(
    expect.arrayContaining(['"07700900123"', '1970-01-01T00:00:00Z', 'true', '"pre_buy"', '']),
  );
});

/** Counts the other running statements. */
async function countReading(db: {
  raw(sql: string): Promise<{ rows: { count: number }[] }>;
}): Promise<number> {
  const { rows } = await db.raw(
    `select count(*) from pg_stat_activity where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`,
  );
  return rows[0]?.count ?? 0;
}
