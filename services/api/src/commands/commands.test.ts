// @module-tag long
import { storeLead } from '@site/testing/builders';
import { storeCheckout } from '@site/testing/money-builders';
import { test as base } from '@site/testing/fixtures';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect } from 'vitest';

const BUILT = fileURLToPath(new URL('../../dist/commands', import.meta.url));

/** Runs a command in a process of its own, on the test's database. */
const test = base.extend(
  'run',
  ({ databaseUrl }) =>
    async (command: string, env: Record<string, string> = {}) => {
      const [name = '', ...args] = command.split(' ');
      const script = join(BUILT, `${name}.js`);
      const child = spawn(process.execPath, [script, ...args], {
        env: { PATH: process.env.PATH, DATABASE_URL: databaseUrl, ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let text = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk) => (text += String(chunk)));
      const [code] = await once(child, 'close');
      return { code, text };
    },
);

describe('migrate', () => {
  test('migrate prints the first password once, and never into a container’s log', async ({
    db,
    run,
  }) => {
    const logged = await run('migrate', { NODE_ENV: 'production' });

    expect(logged).toMatchObject({
      code: 0,
      text: expect.stringContaining('There is no operator yet.'),
    });
    expect(await db('users')).toEqual([]);

    expect((await run('migrate')).text).toMatch(/^username: admin\npassword: [\w-]{20}$/m);
  });

  test('migrate writes the first password to a file instead, for its owner only', async ({
    run,
    onTestFinished,
  }) => {
    const folder = mkdtempSync(join(tmpdir(), 'login-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));

    const { text } = await run(`migrate --login-file ${folder}/login`, { NODE_ENV: 'production' });

    expect(text).toBe('The database is up to date.\n');
    expect(readFileSync(`${folder}/login`, 'utf8')).toMatch(
      /^username: admin\npassword: [\w-]{20}\n$/,
    );
  });

  test('migrate refuses a first password that is short or common', async ({ db, run }) => {
    expect(await run('migrate', { ADMIN_PASSWORD: 'Password123456' })).toMatchObject({
      code: 1,
      text: expect.stringContaining('ADMIN_PASSWORD is not usable'),
    });
    expect(await db('users')).toEqual([]);
  });
});

test('admin-user lists operators, and keeps the last one', async ({ run }) => {
  const added = await run('admin-user add j.holt');
  expect(added.text).toMatch(/^username: j\.holt\npassword: [\w-]{20}\n$/);

  expect(await run('admin-user remove J.Holt')).toMatchObject({
    code: 1,
    text: expect.stringContaining('is the only operator'),
  });
  expect((await run('admin-user list')).text).toMatch(
    /^j\.holt {2}\(added [\d-]{10}, two-step login off, never logged in\)\n$/,
  );
});

test('erase-again erases the people whom a restored backup brought back', async ({ db, run }) => {
  const [erased, other] = [await storeLead(db), await storeLead(db)];
  await storeCheckout(db, { stripeCheckoutSessionId: 'cs_alone', email: 'alone@x.example' });
  await db('erased_ids').insert([{ id: erased.id }, { id: 'cs_alone' }]);

  expect(await run('erase-again')).toEqual({ code: 0, text: 'People erased again: 2.\n' });
  expect(await db('leads').pluck('id')).toEqual([other.id]);
  expect(await db('checkouts')).toEqual([]);
  expect(new Set(await db('removal_requests').pluck('email_normalised'))).toEqual(
    new Set([erased.email.toLowerCase(), 'alone@x.example']),
  );
});
