import { setTimeout as sleep } from 'node:timers/promises';

const LOOK_AGAIN_MS = 50;

/** Asks again and again until `isSo`; throws with what was waited for when `timeoutMs` have passed without it. */
export async function within(timeoutMs: number, what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`Waited ${timeoutMs / 1_000} s in vain: ${what}`);
    await sleep(LOOK_AGAIN_MS);
  }
}
