import { setTimeout as sleep } from 'node:timers/promises';

/** Compares what `/readyz` of a service says with what is so. */
export type Light = {
  /** Says from now on whether all is well. */
  shouldBe(light: 'ok' | 'not ok'): void;
  /** Returns what it says now: its status, or "silent". */
  says(): string;
  /** Stops, and returns for how many seconds it said "ok" wrongly. */
  end(): Promise<number>;
};

const EVERY_MS = 250;

export function watchLight(url: string): Light {
  let isWell = true;
  let status = 'silent';
  let wrongMs = 0;
  const ended = new AbortController();
  const watching = (async () => {
    let since = performance.now();
    while (!ended.signal.aborted) {
      status = await readStatus(url);
      const now = performance.now();
      if (status === 'ok' && !isWell) wrongMs += now - since;
      since = now;
      await sleep(EVERY_MS);
    }
  })();
  return {
    shouldBe(light) {
      isWell = light === 'ok';
    },
    says: () => status,
    async end() {
      ended.abort();
      await watching;
      return wrongMs / 1_000;
    },
  };
}

async function readStatus(url: string): Promise<string> {
  try {
    const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(5_000) });
    return ((await answer.json()) as { status: string }).status;
  } catch {
    return 'silent';
  }
}
