import { join } from 'node:path';

import { startEmbeddedPostgres } from '@site/local-infra/embedded-postgres';
import { startEmbeddedValkey } from '@site/local-infra/embedded-valkey';
import { makeTestFolder } from '@site/local-infra/test-folder';

/** A server for a single test to stop and start. Its URL stays the same. */
export type OwnServer = {
  url: string;
  port: number;
  stop(): Promise<void>;
  start(): Promise<void>;
  restart(): Promise<void>;
  /** Stops it and removes its files. */
  remove(): Promise<void>;
};

/** Starts an empty Postgres for one test. It keeps its data when stopped. */
export async function startOwnPostgres(): Promise<OwnServer> {
  const folder = makeTestFolder();
  const startOn = (port?: number) =>
    startEmbeddedPostgres({
      dataDir: join(folder.path, 'postgres'),
      logFile: join(folder.path, 'postgres.log'),
      forTests: true,
      ...(port !== undefined && { port }),
    });
  return keepRestarting(await startOn(), startOn, folder.remove);
}

/** Starts a Valkey for one test. It loses its data when stopped. */
export async function startOwnValkey(): Promise<OwnServer> {
  const startOn = (port?: number) => startEmbeddedValkey(port === undefined ? {} : { port });
  return keepRestarting(await startOn(), startOn, () => undefined);
}

type Running = { url: string; port: number; stop(): Promise<void> };

function keepRestarting(
  first: Running,
  startOn: (port: number) => Promise<Running>,
  tidy: () => void,
): OwnServer {
  let running: Running | undefined = first;
  const stop = async () => {
    await running?.stop();
    running = undefined;
  };
  const start = async () => {
    running ??= await startOn(first.port);
  };
  return {
    url: first.url,
    port: first.port,
    stop,
    start,
    restart: async () => {
      await stop();
      await start();
    },
    remove: async () => {
      await stop();
      tidy();
    },
  };
}
