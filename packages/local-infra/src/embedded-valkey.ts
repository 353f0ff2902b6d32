import { fork } from 'node:child_process';
import { connect } from 'node:net';
import { fileURLToPath } from 'node:url';

import { StartFailure, toMessage } from './failure.ts';
import { findFreePort } from './free-port.ts';
import { waitUntil } from './wait-until.ts';

export type EmbeddedValkey = {
  url: string;
  port: number;
  pid: number;
  /** Resolves when the server has ended, for any reason. */
  ended: Promise<void>;
  /** Stops it and discards its data. Safe to call twice. */
  stop(): Promise<void>;
};

type ValkeyOptions = { port?: number; signal?: AbortSignal };

const PROGRAM = fileURLToPath(new URL('valkey/valkey-process.js', import.meta.url));
const START_DEADLINE_MS = 20_000;

/** Starts an empty Valkey in its own process. The port defaults to a free one. */
export async function startEmbeddedValkey(options: ValkeyOptions = {}): Promise<EmbeddedValkey> {
  if (options.port !== undefined) return startServer(options.port, options.signal);
  try {
    return await startServer(await findFreePort(), options.signal);
  } catch (error) {
    options.signal?.throwIfAborted();
    // Another program took the port in the meantime.
    if (!toMessage(error).includes('EADDRINUSE')) throw error;
    return startServer(await findFreePort(), options.signal);
  }
}

async function startServer(port: number, signal?: AbortSignal): Promise<EmbeddedValkey> {
  // Without the flags of a test runner, such as loaders and inspectors.
  const child = fork(PROGRAM, [String(port)], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-2000)));
  let hasEnded = false;
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      hasEnded = true;
      resolve();
    };
    child.once('error', end);
    child.once('exit', end);
  });
  const stop = async () => {
    if (hasEnded) return;
    child.kill('SIGTERM');
    if (await waitUntil(() => hasEnded, 3_000)) return;
    child.kill('SIGKILL');
    await ended;
  };

  let isListening = false;
  child.once('message', () => (isListening = true));
  const settled = await waitUntil(
    async () => hasEnded || signal?.aborted === true || (isListening && (await answersPing(port))),
    START_DEADLINE_MS,
  );
  if (!settled || hasEnded || signal?.aborted === true) {
    await stop();
    signal?.throwIfAborted();
    throw new StartFailure(
      `Valkey did not start on port ${port}: ${said.trim() || 'no reason given'}`,
    );
  }
  return { url: `redis://127.0.0.1:${port}`, port, pid: child.pid ?? 0, ended, stop };
}

function answersPing(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const answer = (isAlive: boolean) => {
      socket.destroy();
      resolve(isAlive);
    };
    socket.setTimeout(1_000, () => answer(false));
    socket.once('error', () => answer(false));
    socket.once('connect', () => socket.write('PING\r\n'));
    socket.once('data', (data) => answer(data.toString().startsWith('+PONG')));
  });
}
