import { join } from 'node:path';

import { startEmbeddedPostgres } from '@site/local-infra/embedded-postgres';
import { startEmbeddedValkey } from '@site/local-infra/embedded-valkey';
import { makeTestFolder } from '@site/local-infra/test-folder';

/** A server that one test has for itself, to break. Its address and its data survive `stop` and `start`. */
export type OwnServer = {
  url: string;
  port: number;
  stop(): Promise<void>;
  start(): Promise<void>;
  restart(): Promise<void>;
  /** Ends it for good and removes its files. */
  remove(): Promise<void>;
};

/** A Postgres of the test's own, empty. */
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

/** A Valkey of the test's own. It forgets everything at `stop`. */
export async function startOwnValkey(): Promise<OwnServer> {
  const startOn = (port?: number) => startEmbeddedValkey(port === undefined ? {} : { port });
  return keepRestarting(await startOn(), startOn, () => undefined);
}

type Running = { url: string; port: number; stop(): Promise<void> };

function keepRestarting(first: Running, startOn: (port: number) => Promise<Running>, tidy: () => void): OwnServer {
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
