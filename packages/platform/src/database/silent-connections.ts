import type { Knex } from 'knex';
import type { Socket } from 'node:net';

/*
 * A connection may fall silent without closing, for example after a failover. It is destroyed after
 * a silence slightly longer than its statements may take. So every wait ends, and the next
 * statement gets a new connection. An idle connection leaves its pool sooner.
 */

/** The driver's types do not name the socket. */
export type Connection = { connection: { stream: Socket } };

/** The silence that a connection may add to the time of its statements. */
export const SILENCE_GRACE_MS = 5_000;

export function destroyWhenSilent({ connection: { stream } }: Connection, limitMs: number): void {
  stream.setTimeout(limitMs);
  stream.on('timeout', () =>
    stream.destroy(new Error('Connection terminated: it has been silent for too long')),
  );
}

/** Lets a transaction's statements take `limitMs`, and its connection be silent as long. */
export async function allowLongStatements(trx: Knex.Transaction, limitMs: number): Promise<void> {
  await trx.raw(`set local statement_timeout = ${limitMs}`);
  const { connection } = (await trx.client.acquireConnection()) as Connection;
  const usualMs = connection.stream.timeout ?? 0;
  connection.stream.setTimeout(limitMs + SILENCE_GRACE_MS);
  const restore = () => void connection.stream.setTimeout(usualMs);
  trx.executionPromise.then(restore, restore);
}
