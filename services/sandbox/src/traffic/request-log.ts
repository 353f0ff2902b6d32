import type { Clock } from '../clock.ts';

export const TARGETS = ['beehiiv', 'stripe'] as const;
export type Target = (typeof TARGETS)[number];

/** One request that reached a stand-in. */
export type LoggedRequest = {
  number: number;
  at: string;
  target: Target;
  method: string;
  /** Without query and with `:email` in place of an address. */
  path: string;
  /** The address the request was about, where it names one: tells whose requests these were. */
  subject: string | null;
  /** Null while it is being answered, and when no answer was sent. */
  status: number | null;
  outcome: 'open' | 'answered' | 'cut off' | 'client gave up';
  tookMs: number | null;
};

export type RequestLog = ReturnType<typeof createRequestLog>;

const KEPT_REQUESTS = 5_000;

/** The requests received, oldest first; the newest few thousand are kept. */
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
    list(filter: { target?: Target | undefined; subject?: string | undefined } = {}): LoggedRequest[] {
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
