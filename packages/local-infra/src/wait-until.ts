import { setTimeout as sleep } from 'node:timers/promises';

/** Checks `isSo` every 20 ms until it returns true. Returns false after `timeoutMs`. */
export async function waitUntil(
  isSo: () => boolean | Promise<boolean>,
  timeoutMs: number,
): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}
