import { TimeoutError, withTimeout } from '@site/platform/process/with-timeout';
import axios from 'axios';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';

/** The response, or the reason for its absence. */
export type WireAnswer =
  | { kind: 'answer'; status: number; headers: Record<string, string>; body: string }
  /** `mayHaveArrived` is false only if no connection was made. */
  | { kind: 'no-answer'; code: string; mayHaveArrived: boolean };

export type BeehiivClient = {
  send(request: {
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
    path: string;
    body?: unknown;
  }): Promise<WireAnswer>;
};

const TIMEOUT_MS = 10_000;
/** Reading stops at this size. The API's responses are far smaller. */
const MAX_ANSWER_BYTES = 1_000_000;
const NEVER_CONNECTED = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
]);

/**
 * Creates the client for Beehiiv v2. Does not judge the response, and never throws because of
 * Beehiiv.
 */
export function createBeehiivClient(options: {
  apiUrl: string;
  apiKey: string;
  publicationId: string;
  timeoutMs?: number;
}): BeehiivClient {
  const timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
  const publication = encodeURIComponent(options.publicationId);
  const http = axios.create({
    baseURL: `${options.apiUrl.replace(/\/+$/, '')}/publications/${publication}`,
    headers: { Authorization: `Bearer ${options.apiKey}`, Accept: 'application/json' },
    httpAgent: new HttpAgent({ keepAlive: true }),
    httpsAgent: new HttpsAgent({ keepAlive: true }),
    maxContentLength: MAX_ANSWER_BYTES,
    maxRedirects: 0,
    proxy: false,
    // The body stays text, because `beehiiv.answers.ts` also classes bodies that are not JSON.
    responseType: 'text',
    transformResponse: (body: unknown) => body,
    validateStatus: () => true,
  });
  return {
    async send({ method, path, body }) {
      try {
        const json =
          body === undefined ? {} : { data: body, headers: { 'Content-Type': 'application/json' } };
        // Axios' own timeout ends with the first byte, so a trickle would never end.
        const answer = await withTimeout(timeoutMs, ({ signal }) =>
          http.request<string>({ method, url: path, ...json, signal }),
        );
        const headers = Object.fromEntries(
          Object.entries(answer.headers).map(([name, value]) => [
            name.toLowerCase(),
            String(value),
          ]),
        );
        return { kind: 'answer', status: answer.status, headers, body: answer.data ?? '' };
      } catch (error) {
        if (error instanceof TimeoutError)
          return { kind: 'no-answer', code: 'ETIMEDOUT', mayHaveArrived: true };
        const code = axios.isAxiosError(error) ? (error.code ?? 'UNKNOWN') : 'UNKNOWN';
        return { kind: 'no-answer', code, mayHaveArrived: !NEVER_CONNECTED.has(code) };
      }
    },
  };
}
