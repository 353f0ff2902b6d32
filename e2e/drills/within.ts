import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_AGAIN_MS = 50;

/** Checks `isSo` repeatedly until it returns true. Throws after `timeoutMs`. */
export async function within(
  timeoutMs: number,
  what: string,
  isSo: () => boolean | Promise<boolean>,
): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await isSo())) {
    if (performance.now() > deadline)
      throw new Error(`Waited ${timeoutMs / 1_000} s without success: ${what}`);
    await sleep(LOOK_AGAIN_MS);
  }
}
