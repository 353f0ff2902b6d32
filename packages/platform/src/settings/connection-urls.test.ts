// @module-tag long
import { createAuthority } from '@site/testing/certificates';
import { test as base } from '@site/testing/fixtures';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { describe, expect } from 'vitest';
import { createDatabase, isDatabaseUnavailable } from '../database/connect.ts';
import { query, queryOne } from '../database/query.ts';
import { errorMessage } from '../process/logged-error.ts';
import { readClusterNodes } from './connection-urls.ts';
import { createLogger } from '../process/logger.ts';
import { readSettings, SettingsError } from './read-settings.ts';
import { connectFailFast, connectPatient } from '../redis/connect.ts';
import type { RedisConnection } from '../redis/connect.ts';
import { sharedSettings } from './settings.ts';

const log = createLogger({ service: 'test', level: 'silent' });

/** A server's certificate, the file of the CA that signed it, and the file of another CA. */
const test = base.extend('tls', ({ onTestFinished }) => {
  const folder = mkdtempSync(join(tmpdir(), 'tls-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [right, wrong] = [createAuthority(), createAuthority()];
  const files = { ca: join(folder, 'ca.pem'), wrongCa: join(folder, 'wrong.pem') };
  writeFileSync(files.ca, right.certificate);
  writeFileSync(files.wrongCa, wrong.certificate);
  return { ...files, ...right.issue() };
});

const read = (env: Record<string, string>) =>
  readSettings(sharedSettings, { DATABASE_URL: 'postgres://x', REDIS_URL: 'redis://x', ...env });

describe('TLS to Postgres, with a CA of its own', () => {
  /** The server's URL, once it has a certificate. */
  const withTls = test.extend('address', async ({ ownPostgres, tls }) => {
    const db = createDatabase({ url: ownPostgres.url, maxConnections: 1 });
    const { folder } = await queryOne<{ folder: string }>(
      db,
      `select current_setting('data_directory') as folder`,
    );
    const { uid, gid } = statSync(folder);
    for (const [name, content] of [
      ['server.crt', tls.certificate],
      ['server.key', tls.key],
    ] as const) {
      const path = join(folder, name);
      writeFileSync(path, content);
      chmodSync(path, 0o600);
      chownSync(path, uid, gid);
    }
    await query(db, 'alter system set ssl = on');
    await db.destroy();
    await ownPostgres.restart();
    return ownPostgres.url;
  });

  withTls(
    'Postgres with a CA of its own is connected to with TLS',
    async ({ address, tls, onTestFinished }) => {
      const { DATABASE_URL } = read({
        DATABASE_URL: `${address}?sslmode=verify-full&sslrootcert=${tls.ca}`,
      });
      const db = createDatabase({ url: DATABASE_URL });
      onTestFinished(() => db.destroy());

      expect(
        await queryOne(db, 'select ssl from pg_stat_ssl where pid = pg_backend_pid()'),
      ).toEqual({ ssl: true });
    },
  );

  withTls(
    'a Postgres server that another CA has signed is refused, with what to set',
    async ({ address, tls }) => {
      for (const parameters of [
        `sslmode=verify-full&sslrootcert=${tls.wrongCa}`,
        'sslmode=verify-full',
      ]) {
        const db = createDatabase({
          url: read({ DATABASE_URL: `${address}?${parameters}` }).DATABASE_URL,
        });
        const failure: unknown = await query(db, 'select 1').catch((error: unknown) => error);
        await db.destroy();

        expect(errorMessage(failure)).toContain('name the file of your CA with sslrootcert');
        expect(isDatabaseUnavailable(failure)).toBe(true);
      }
    },
  );
});

describe('TLS to Redis, with a CA of its own', () => {
  /** The URL of a TLS entrance to a Valkey, with a password that nobody else has. */
  const withTls = test.extend('address', async ({ ownValkey, tls, onTestFinished }) => {
    const entrance = createServer({ cert: tls.certificate, key: tls.key }, (socket) => {
      const inside = connect(ownValkey.port, '127.0.0.1');
      socket.pipe(inside).pipe(socket);
      for (const end of [socket, inside])
        end.on('error', () => [socket, inside].forEach((each) => each.destroy()));
    });
    entrance.on('tlsClientError', () => undefined);
    entrance.listen(0, '127.0.0.1');
    await once(entrance, 'listening');
    onTestFinished(() => void entrance.close());
    return `rediss://127.0.0.1:${(entrance.address() as AddressInfo).port}`;
  });

  withTls(
    'Redis with a CA of its own is connected to with TLS, by the API as well as the worker',
    async ({ address, tls, onTestFinished }) => {
      const { REDIS_URL } = read({ REDIS_URL: `${address}?ssl_ca_certs=${tls.ca}` });
      for (const connectTo of [connectFailFast, connectPatient]) {
        const redis = connectTo(REDIS_URL, log);
        onTestFinished(() => redis.disconnect());
        await once(redis, 'ready');

        expect(await redis.ping()).toBe('PONG');
      }
    },
  );

  withTls(
    'a Redis server that another CA has signed is refused, with what to set',
    async ({ address, tls }) => {
      for (const parameters of [`?ssl_ca_certs=${tls.wrongCa}`, '']) {
        const redis = connectFailFast(read({ REDIS_URL: address + parameters }).REDIS_URL, log);

        expect(errorMessage(await firstError(redis))).toContain(
          'with ssl_ca_certs in the Redis URL',
        );
        redis.disconnect();
      }
    },
  );

  const firstError = (redis: RedisConnection) =>
    new Promise<Error>((resolve) => redis.once('error', resolve));
});

test.for([
  [{ DATABASE_URL: 'postgres://x?sslmode=require' }, 'use sslmode=verify-full'],
  [
    { DATABASE_URL: 'postgres://x?sslmode=verify-full&sslrootcert=/none.pem' },
    '/none.pem, cannot be read (ENOENT)',
  ],
  [{ REDIS_URL: 'rediss://x?ssl_ca_certs=/none.pem' }, '/none.pem, cannot be read (ENOENT)'],
  [{ REDIS_URL: 'redis://x?ssl_ca_certs=/dev/null' }, 'begin it with rediss://'],
  [{ REDIS_URL: 'redis://x:6379,y:z' }, 'name each as host:port'],
  [{ REDIS_URL: 'cluster://x' }, 'redis+cluster://'],
] as const)('the URL %j is refused: %s', ([env, reason]) => {
  expect(() => read(env)).toThrow(SettingsError);
  expect(() => read(env)).toThrow(reason);
});

describe('the nodes of a Redis Cluster', () => {
  const [one, other] = [
    { host: 'one.example', port: 7_000 },
    { host: 'other.example', port: 6_379 },
  ];
  test.for([
    ['redis://one.example:7000', null],
    ['redis+cluster://one.example:7000', { nodes: [one], isTls: false }],
    ['redis://one.example:7000,other.example', { nodes: [one, other], isTls: false }],
    ['redis://one.example:7000,redis://other.example:6379', { nodes: [one, other], isTls: false }],
    [
      'rediss+cluster://site:p%2Cw@one.example:7000,other.example?ssl_ca_certs=/ca.pem',
      { nodes: [one, other], username: 'site', password: 'p,w', isTls: true },
    ],
  ] as const)('the URL %s names the nodes of a Redis Cluster, or none', ([address, nodes]) => {
    expect(readClusterNodes(address)).toEqual(nodes);
  });
});
