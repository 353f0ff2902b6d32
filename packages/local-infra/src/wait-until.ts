import { setTimeout as sleep } from 'node:timers/promises';

/** Asks `isSo` every 20 ms until it answers true; false when `timeoutMs` have passed without it. */
export async function waitUntil(isSo: () => boolean | Promise<boolean>, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}
