import { setTimeout as sleep } from 'node:timers/promises';

import { toMessage } from '../failure.ts';

/** Something that runs. `ended` resolves with the reason. */
export type Running = { ended: Promise<string | void>; stop(): Promise<void> };

export type Part = { name: string; start(): Promise<Running> };

export type KeptPart = { name: string; stop(): Promise<void> };

export type KeepOptions = {
  say: (line: string) => void;
  firstDelayMs?: number;
  longestDelayMs?: number;
  /** After running this long, the delay starts from the beginning. */
  healthyAfterMs?: number;
};

/**
 * Starts a part and restarts it whenever it ends, with growing delays. Rejects if the first start
 * fails, because repeating that would not help.
 */
export async function keepRunning(part: Part, options: KeepOptions): Promise<KeptPart> {
  const { say, firstDelayMs = 250, longestDelayMs = 30_000, healthyAfterMs = 60_000 } = options;
  const stopping = new AbortController();
  let running = await part.start();
  let delayMs = firstDelayMs;

  const startAgain = async () => {
    for (;;) {
      await sleep(delayMs, undefined, { signal: stopping.signal });
      delayMs = Math.min(delayMs * 2, longestDelayMs);
      try {
        running = await part.start();
        say(`${part.name} is running again.`);
        return;
      } catch (error) {
        if (stopping.signal.aborted) return;
        say(`${part.name} did not start: ${toMessage(error)} Next try in ${toSeconds(delayMs)}.`);
      }
    }
  };
  const watch = async () => {
    while (!stopping.signal.aborted) {
      const since = performance.now();
      const why = await running.ended;
      if (stopping.signal.aborted) return;
      if (performance.now() - since > healthyAfterMs) delayMs = firstDelayMs;
      say(
        `${part.name} ended${why ? ` (${why})` : ''}; starting it again in ${toSeconds(delayMs)}.`,
      );
      await startAgain();
    }
  };
  const watching = watch().catch(() => undefined);

  return {
    name: part.name,
    stop: async () => {
      stopping.abort();
      await running.stop();
      await watching;
      // A restart may have finished during the stop.
      await running.stop();
    },
  };
}

function toSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
