import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

export type Load = { perSecond: number; p50: number; p99: number; most: number };
export type Timing = { p50: number; p95: number };

/** Runs a call repeatedly and returns its times in milliseconds, without the first few. */
export async function measure(
  call: (round: number) => Promise<unknown>,
  rounds: number,
): Promise<Timing> {
  const warmUp = Math.min(5, Math.ceil(rounds / 4));
  const taken: number[] = [];
  for (let round = 0; round < rounds + warmUp; round++) {
    const startedAt = performance.now();
    await call(round);
    if (round >= warmUp) taken.push(performance.now() - startedAt);
  }
  return { p50: shareOf(taken, 0.5), p95: shareOf(taken, 0.95) };
}

/** Returns the value below which this share of all values lies. */
function shareOf(values: number[], share: number): number {
  const at = Math.min(values.length - 1, Math.ceil(values.length * share) - 1);
  return values.toSorted((a, b) => a - b)[at] ?? Number.NaN;
}

/** Posts for `seconds`, as `postUntil` does. */
export function postFor(
  url: string,
  { seconds, ...options }: { connections: number; seconds: number; body: (n: number) => object },
): Promise<Load> {
  return postUntil(url, { ...options, end: sleep(seconds * 1_000) });
}

/**
 * Posts JSON bodies over keep-alive connections, one request at a time on each, until `end`
 * settles. Writes bytes to sockets, because any client library would cost more than the servers
 * that it measures. Returns answers a second, and their times in milliseconds. Throws if an answer
 * is not 201.
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
  return {
    perSecond: taken.length / ((performance.now() - startedAt) / 1_000),
    p50: shareOf(taken, 0.5),
    p99: shareOf(taken, 0.99),
    most: shareOf(taken, 1),
  };
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

export const newSubmission = (n: number) => ({
  email: `subscriber${n}@company${n % 5_000}.example`,
  formType: n % 3 === 0 ? 'pre_sample' : 'pre_buy',
  fullName: 'Priya Raman',
  company: `Northgate Capital ${n % 5_000}`,
  phone: '+44 20 7946 0000',
  utmSource: 'nav_sub',
  utmMedium: 'website',
  utmCampaign: 'navigation_subscription',
  visitUtm: { source: 'linkedin', medium: 'paid', campaign: 'spring' },
  firstUtm: { source: 'google', medium: 'cpc', campaign: 'brand' },
  gclid: 'Cj0KCQiA1234567890abcdef',
  landingPage: 'https://site.example/?utm_source=linkedin',
  firstPage: 'https://site.example/',
  referrer: 'https://www.linkedin.com/',
  sessionId: '0f5c1c3e-2c55-4b0b-9f0e-8f3a4b0c9d1e',
  consentMarketing: true,
  consentTextVersion: '2025-12',
  clickedSubscribe: true,
  elapsedMs: 12_000,
});
