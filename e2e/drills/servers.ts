import { createTestDatabase } from '@site/testing/database';
import { startOwnPostgres, startOwnValkey } from '@site/testing/own-servers';
import type { OwnServer } from '@site/testing/own-servers';
import { createDatabase } from '@site/platform/database/connect';
import { migrateDatabase } from '@site/platform/database/migrate';
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';

/** The drill's own Postgres and Valkey. */
export type Servers = {
  postgres: OwnServer & {
    /** Kills it without a shutdown. Uncommitted data is lost, and the next start recovers. */
    crash(): Promise<void>;
  };
  valkey: OwnServer;
  /** Creates a migrated, empty database. */
  newDatabase(): Promise<string>;
  /** Sends one raw command, without a client that might reconnect or retry. */
  tellValkey(command: string): Promise<string>;
  remove(): Promise<void>;
};

const TEMPLATE = 'template_drill';

export async function startServers(): Promise<Servers> {
  const [postgres, valkey] = await Promise.all([startOwnPostgres(), startOwnValkey()]);
  await migrateTemplate(await createTestDatabase(postgres.url, TEMPLATE));
  return {
    postgres: {
      ...postgres,
      async crash() {
        process.kill(await readPostmasterPid(postgres.url), 'SIGQUIT');
        await postgres.stop();
      },
    },
    valkey,
    newDatabase: () =>
      createTestDatabase(postgres.url, `drill_${randomUUID().replaceAll('-', '')}`, TEMPLATE),
    tellValkey: (command) => tell(valkey.port, command),
    async remove() {
      await Promise.all([postgres.remove(), valkey.remove()]);
    },
  };
}

async function migrateTemplate(url: string): Promise<void> {
  const db = createDatabase({ url, maxConnections: 2 });
  try {
    await migrateDatabase(db);
  } finally {
    // A database with open connections cannot be cloned.
    await db.destroy();
  }
}

async function readPostmasterPid(url: string): Promise<number> {
  const db = createDatabase({ url, maxConnections: 1 });
  try {
    const { rows } = await db.raw(`select pg_read_file('postmaster.pid') as file`);
    return Number.parseInt(rows[0].file, 10);
  } finally {
    await db.destroy();
  }
}

function tell(port: number, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${command}\r\n`));
    socket.setTimeout(5_000, () => socket.destroy(new Error('Valkey does not answer')));
    socket.once('error', reject);
    socket.once('data', (answer) => {
      socket.destroy();
      resolve(answer.toString().trim());
    });
  });
}
