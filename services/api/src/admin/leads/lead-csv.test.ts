import { lead } from '@site/schema/stored-lead';
import { parse } from 'csv-parse/sync';
import { createDatabase } from '@site/platform/database/connect';
import express from 'express';
import fc from 'fast-check';
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect } from 'vitest';
import { test } from '../../testing/api.fixture.ts';
import { answerProblems } from '../../http/problem.ts';
import { requestContext } from '../../http/request-context.ts';
import { createSheet, guardFormula, sendLeadsCsv } from './lead-csv.ts';

const TEXTS = ['fullName', 'company', 'phone', 'message', 'utmSource', 'beehiivResponse'] as const;
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.stringMatching(/^[=+\-@"',;\r\n\t x]{0,6}$/),
  fc.constant(null),
);
/** A spreadsheet may end a row at any line break, and a cell at all that its import dialog has ticked. */
const EVERY_SEPARATOR = { record_delimiter: ['\r\n', '\n', '\r'], delimiter: [',', ';', '\t'] };

describe('the CSV', () => {
  test('gives every lead back as it was through any spreadsheet’s parser, however odd its texts', async () => {
    const anyLead = fc.record(Object.fromEntries(TEXTS.map((name) => [name, anyText])));
    await fc.assert(
      fc.asyncProperty(fc.array(anyLead, { maxLength: 5 }), async (leads) => {
        const file = await text(Readable.from(leads).pipe(createSheet()));
        const rows = parse<Record<string, string>>(file, { columns: true, bom: true, ...EVERY_SEPARATOR });
        expect(rows).toHaveLength(leads.length);
        for (const [index, row] of rows.entries()) {
          expect(Object.keys(row)).toEqual(Object.keys(lead.shape));
          for (const name of TEXTS) expect(row[name]).toBe(guardFormula(leads[index]?.[name] ?? ''));
        }
      }),
      { numRuns: 300 },
    );
  });

  test('leaves the answer to others as long as nothing of the file has left', async ({ api, onTestFinished }) => {
    const away = createDatabase({ url: 'postgres://nobody@127.0.0.1:1/none', maxConnections: 1 });
    onTestFinished(() => away.destroy());
    const app = express();
    app.use(requestContext(api.deps.log));
    app.get('/', async (_req, res) => sendLeadsCsv({ ...api.deps, exportDb: away }, {}, res));
    app.use(answerProblems);
    const server = createServer(app).listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');

    const answer = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);

    expect(answer.status).toBe(503);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(answer.headers.get('content-disposition')).toBeNull();
  });

  test('cuts off a subscriber who is too slow, and the file does not look whole', async ({ api, db }) => {
    await db.raw(
      `insert into leads (id, email, form_type, message)
       select gen_random_uuid(), n || '@reader.example', 'pre_buy', repeat('x', 4000) from generate_series(1, 5000) n`,
    );
    const time = new AbortController();
    const app = express();
    app.get('/', async (_req, res) => sendLeadsCsv(api.deps, {}, res, time.signal).catch(() => undefined));
    const server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');

    const [answer] = (await once(get(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`), 'response')) as [
      IncomingMessage,
    ];
    // It takes nothing, as somebody with a poor connection, until time is up.
    time.abort();
    await expect.poll(async () => (await countReading(api.deps.exportDb)) === 0, { timeout: 5_000 }).toBe(true);
    const reading = text(answer);

    await expect(reading).rejects.toThrow('aborted');
    server.close();
  });
});

async function countReading(db: { raw(sql: string): Promise<{ rows: { count: number }[] }> }): Promise<number> {
  const { rows } = await db.raw(
    `select count(*) from pg_stat_activity where datname = current_database() and state <> 'idle' and pid <> pg_backend_pid()`,
  );
  return rows[0]?.count ?? 0;
}
