import type { Clock } from '../clock.ts';

export const TARGETS = ['beehiiv', 'stripe'] as const;
export type Target = (typeof TARGETS)[number];

/** One request that the sandbox received. */
export type LoggedRequest = {
  number: number;
  at: string;
  target: Target;
  method: string;
  /** Without the query, and with `:email` in place of an email. */
  path: string;
  /** The email in the request, if it names one. */
  subject: string | null;
  /** Null until an answer is sent. */
  status: number | null;
  outcome: 'open' | 'answered' | 'cut off' | 'client gave up';
  tookMs: number | null;
};

export type RequestLog = ReturnType<typeof createRequestLog>;

const KEPT_REQUESTS = 5_000;

/** Keeps the latest requests, oldest first. */
export function createRequestLog(clock: Clock) {
  let requests: LoggedRequest[] = [];
  let lastNumber = 0;

  return {
    open(target: Target, method: string, path: string): LoggedRequest {
      lastNumber += 1;
      const entry: LoggedRequest = {
        number: lastNumber,
        at: clock.now().toISOString(),
        target,
        method,
        path,
        subject: null,
        status: null,
        outcome: 'open',
        tookMs: null,
      };
      requests.push(entry);
      if (requests.length > KEPT_REQUESTS * 2) requests = requests.slice(-KEPT_REQUESTS);
      return entry;
    },
    list(
      filter: { target?: Target | undefined; subject?: string | undefined } = {},
    ): LoggedRequest[] {
      const subject = filter.subject?.toLowerCase();
      return requests
        .slice(-KEPT_REQUESTS)
        .filter((entry) => filter.target === undefined || entry.target === filter.target)
        .filter((entry) => subject === undefined || entry.subject === subject);
    },
    clear() {
      requests = [];
    },
  };
}
