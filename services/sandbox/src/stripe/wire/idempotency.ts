import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../clock.ts';
import { StripeFault } from './stripe-fault.ts';

const KEPT_MS = 24 * 60 * 60_000;
const MAX_KEY_LENGTH = 255;

type Call = { method: string; path: string; params: unknown };
export type StoredAnswer = {
  key: string;
  call: Call;
  status: number;
  body: unknown;
  storedAtMs: number;
};

/** Keeps answers by idempotency key for a day. A key belongs to the call that first used it. */
export function createIdempotencyStore(clock: Clock) {
  let answers = new Map<string, StoredAnswer>();
  const underWay = new Set<string>();

  function prune(nowMs: number): void {
    for (const [key, { storedAtMs }] of answers) {
      if (nowMs - storedAtMs < KEPT_MS) return;
      answers.delete(key);
    }
  }

  return {
    /** Returns the earlier answer to this call, or reserves the key and returns null. */
    begin(key: string, call: Call): StoredAnswer | null {
      if (key.length > MAX_KEY_LENGTH) {
        throw refusal(400, `Idempotency keys must be at most ${MAX_KEY_LENGTH} characters`);
      }
      prune(clock.now().getTime());
      const stored = answers.get(key);
      if (stored && !isDeepStrictEqual(stored.call, toPlain(call))) {
        throw refusal(
          400,
          `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
        );
      }
      if (stored) return stored;
      if (underWay.has(key)) {
        const message = `There is currently another in-progress request using this Idempotency Key: ${key}`;
        throw refusal(409, message, 'idempotency_key_in_use');
      }
      underWay.add(key);
      return null;
    },
    /**
     * Keeps the answer, unless it is a refusal, which had no effect. A 5xx is kept, because it may
     * have had an effect.
     */
    end(key: string, call: Call, status: number, body: unknown): void {
      underWay.delete(key);
      if (status >= 400 && status < 500) return;
      answers.set(key, {
        key,
        call: toPlain(call),
        status,
        body: toPlain(body),
        storedAtMs: clock.now().getTime(),
      });
    },
    release: (key: string): void => void underWay.delete(key),
    snapshot: (): StoredAnswer[] => [...answers.values()],
    load(stored: StoredAnswer[]): void {
      answers = new Map(stored.map((answer) => [answer.key, answer]));
      underWay.clear();
    },
  };
}

// A kept answer must not change with the object that it shows, nor after a restart.
function toPlain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

function refusal(status: number, message: string, code?: string): StripeFault {
  return new StripeFault(status, message, { type: 'idempotency_error', code });
}
