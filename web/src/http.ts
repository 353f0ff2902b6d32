import type { CallAnswer, CallRequest, KnownCall } from '@site/schema/calls/calls';
import type { ProblemDocument } from '@site/schema/calls/call';
import { isUntouched } from './last-input.ts';

/** An unsuccessful answer. Its message is `status: body`. */
export class HttpError extends Error {
  readonly status: number;
  /** Our API's problem document. Undefined if a proxy answered. */
  readonly problem: ProblemDocument | undefined;

  constructor(status: number, body: string, statusText: string) {
    super(`${status}: ${body || statusText}`);
    this.name = 'HttpError';
    this.status = status;
    this.problem = readProblem(body);
  }
}

function readProblem(body: string): ProblemDocument | undefined {
  try {
    const { type, title, errors = [] } = JSON.parse(body) as Partial<ProblemDocument>;
    const isProblem =
      typeof type === 'string' && typeof title === 'string' && Array.isArray(errors);
    return isProblem ? (JSON.parse(body) as ProblemDocument) : undefined;
  } catch {
    return undefined;
  }
}

export type CallOptions = {
  headers?: Record<string, string>;
  signal?: AbortSignal;
  keepalive?: boolean;
};
type AnyRequest = {
  params?: Record<string, string | number>;
  query?: Record<string, string | number | readonly string[] | null | undefined>;
  body?: unknown;
};

export type RequestOf<Name extends KnownCall, More = unknown> =
  object extends CallRequest<Name>
    ? [request?: CallRequest<Name> & More]
    : [request: CallRequest<Name> & More];
export type CallApi = <Name extends KnownCall>(
  name: Name,
  ...request: RequestOf<Name, CallOptions>
) => Promise<CallAnswer<Name>>;

/** Writes the URL of a call. Leaves out a query value that is null, undefined or empty. */
export function toUrl<Name extends KnownCall>(name: Name, ...[request]: RequestOf<Name>): string {
  const { params = {}, query = {} }: AnyRequest = request ?? {};
  const path = name
    .slice(name.indexOf('/'))
    .replaceAll(/:(\w+)/g, (_, key: string) => encodeURIComponent(params[key] ?? ''));
  const search = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== null && value !== undefined && value !== '') search.set(key, String(value));
  }
  return search.size === 0 ? path : `${path}?${search.toString()}`;
}

/**
 * Makes a call to our API, with cookies. Returns the JSON or the CSV of its answer. Throws
 * `HttpError` for any answer that is not OK.
 */
export const callApi: CallApi = async (name, ...args) => {
  const { params: _, query: __, body, ...options }: AnyRequest & CallOptions = args[0] ?? {};
  const [method = ''] = name.split(' ', 1);
  return (await send(method, toUrl(name, ...args), body, options)) as never;
};

/** Sends a request, with cookies. Throws `HttpError` for any answer that is not OK. */
export async function send(
  method: string,
  url: string,
  body?: unknown,
  { headers, ...rest }: CallOptions = {},
): Promise<unknown> {
  const response = await fetch(url, {
    method,
    credentials: 'include',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    headers: {
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      // Background loading does not count as use of the operator's session.
      ...(isUntouched() && { 'X-Background': '1' }),
      ...headers,
    },
    ...rest,
  });
  const text = await response.text();
  if (!response.ok) throw new HttpError(response.status, text, response.statusText);
  if (response.headers.get('Content-Type')?.startsWith('text/csv')) return text;
  return text === '' ? undefined : JSON.parse(text);
}
