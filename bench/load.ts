import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { say } from './report.ts';

export type Load = { perSecond: number; p50: number; p99: number; most: number };

export const LOAD_HEADS = ['', 'leads a second', 'p50, ms', 'p99, ms', 'longest, ms'];

export const toLoadLine = (name: string, { perSecond, p50, p99, most }: Load) => [
  name,
  ...[perSecond, p50, p99, most].map(say),
];

/** Posts for `seconds`, as `postUntil` does. */
export function postFor(
  url: string,
  { seconds, ...options }: { connections: number; seconds: number; body: (n: number) => object },
): Promise<Load> {
  return postUntil(url, { ...options, end: sleep(seconds * 1_000) });
}

/**
 * Posts JSON bodies over keep-alive connections, one request at a time on each, until `end` settles. Writes bytes to sockets,
 * because any client library would cost more than the servers that it measures. Returns answers a second, and their
 * times in milliseconds. Throws if an answer is not 201.
 */
export async function postUntil(
  url: string,
  {
    connections,
    end,
    body,
  }: { connections: number; end: Promise<unknown>; body: (n: number) => object },
): Promise<Load> {
  const { hostname, port, host, pathname } = new URL(url);
  const taken: number[] = [];
  let sent = 0;
  const startedAt = performance.now();
  const over = new AbortController();
  const ended = end.finally(() => over.abort());

  async function postOnOneConnection(): Promise<void> {
    let socket: Socket | undefined;
    try {
      while (!over.signal.aborted) {
        const content = JSON.stringify(body(sent++));
        socket ??= await open();
        const postedAt = performance.now();
        socket.write(
          `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nUser-Agent: Mozilla/5.0 (X11; Linux x86_64) Chrome/142.0.0.0\r\nReferer: http://${host}/\r\nContent-Length: ${Buffer.byteLength(content)}\r\n\r\n${content}`,
        );
        const isLast = await readAnswer(socket);
        taken.push(performance.now() - postedAt);
        if (!isLast) continue;
        socket.destroy();
        socket = undefined;
      }
    } finally {
      socket?.destroy();
    }
  }

  async function open(): Promise<Socket> {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    await once(socket, 'connect');
    return socket;
  }

  await Promise.all([ended, ...Array.from({ length: connections }, postOnOneConnection)]);
  const perSecond = taken.length / ((performance.now() - startedAt) / 1_000);
  taken.sort((a, b) => a - b);
  const at = (share: number) =>
    taken[Math.min(taken.length - 1, Math.ceil(taken.length * share) - 1)] ?? Number.NaN;
  return { perSecond, p50: at(0.5), p99: at(0.99), most: at(1) };
}

/** Returns true if the server closes the connection after it. */
async function readAnswer(socket: Socket): Promise<boolean> {
  let text = '';
  for (;;) {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    text += chunk.toString('latin1');
    const end = text.indexOf('\r\n\r\n');
    if (end === -1) continue;
    const length = Number(/content-length: (\d+)/i.exec(text)?.[1]);
    if (text.length < end + 4 + length) continue;
    if (!text.startsWith('HTTP/1.1 201')) throw new Error(`Not accepted: ${text.slice(0, 500)}`);
    return /connection: close/i.test(text);
  }
}
