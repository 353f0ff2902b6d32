import { setTimeout as sleep } from 'node:timers/promises';

/** Compares the status in `/readyz` of the first API with the true one. */
export type Light = {
  /** Sets the expected status. At first, and while it is unknown, `either` accepts both. */
  shouldBe(light: 'ok' | 'not ok' | 'either'): void;
  /** Returns the current status, or "silent". */
  says(): string;
  /** Returns the seconds with a wrong status, or null if no status was expected. */
  wrongSeconds(): number | null;
  end(): Promise<void>;
};

const EVERY_MS = 250;

export function watchLight(findUrl: () => string | undefined): Light {
  let right: 'ok' | 'not ok' | 'either' = 'either';
  let isJudged = false;
  let status = 'silent';
  let wrongMs = 0;
  const ended = new AbortController();
  const watching = (async () => {
    let since = performance.now();
    while (!ended.signal.aborted) {
      const url = findUrl();
      if (url !== undefined) status = await readStatus(url);
      const now = performance.now();
      if (right !== 'either' && (status === 'ok') !== (right === 'ok')) wrongMs += now - since;
      since = now;
      await sleep(EVERY_MS);
    }
  })();
  return {
    shouldBe(light) {
      right = light;
      isJudged ||= light !== 'either';
    },
    says: () => status,
    wrongSeconds: () => (isJudged ? wrongMs / 1_000 : null),
    async end() {
      ended.abort();
      await watching;
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
