import { startChild } from '@site/local-infra/supervisor/child';
import type { Child } from '@site/local-infra/supervisor/child';
import { join } from 'node:path';

import { within } from './within.ts';

const ROOT = join(import.meta.dirname, '../..');
const KEPT_LINES = 400;

export type ServiceProcess = {
  name: string;
  url: string;
  /** Starts or restarts it on the same URL and waits until it answers. */
  start(): Promise<void>;
  /** Kills it at once, like a lost machine. */
  kill(): Promise<void>;
  /** Stops it as a deployment does, and waits until it has ended. */
  stop(): Promise<void>;
  /**
   * Stops the process in the middle of its work, without ending it. Returns a function that
   * continues it.
   */
  freeze(): () => void;
  /** Returns true if it ended without being killed by the drill. */
  hasEndedUnexpectedly(): boolean;
  /** Returns its last log lines. */
  log: () => string[];
};

/**
 * Creates a service as in production: its build in its own process, with all settings in the
 * environment.
 */
export function createServiceProcess(
  service: 'api' | 'worker',
  name: string,
  url: string,
  env: Record<string, string>,
): ServiceProcess {
  const script = join(ROOT, 'services', service, 'dist/main.js');
  const lines: string[] = [];
  let child: Child | undefined;
  let shouldRun = false;

  return {
    name,
    url,
    async start() {
      shouldRun = true;
      const started = startChild(
        { script, cwd: ROOT, env: { PATH: process.env['PATH'], ...env } },
        (line) => {
          lines.push(line);
          if (lines.length > KEPT_LINES) lines.shift();
        },
      );
      child = started;
      await within(60_000, `${name} answers`, async () => {
        if (started.hasEnded())
          throw new Error(`${name} did not start:\n${lines.slice(-10).join('\n')}`);
        return isAlive(url);
      });
    },
    async kill() {
      shouldRun = false;
      if (!child || child.hasEnded()) return;
      process.kill(child.pid, 'SIGKILL');
      await child.ended;
    },
    async stop() {
      shouldRun = false;
      if (!child || child.hasEnded()) return;
      process.kill(child.pid, 'SIGTERM');
      await child.ended;
    },
    freeze() {
      const { pid } = child ?? {};
      if (pid === undefined) throw new Error(`${name} is not running`);
      process.kill(pid, 'SIGSTOP');
      return () => process.kill(pid, 'SIGCONT');
    },
    hasEndedUnexpectedly: () => shouldRun && child?.hasEnded() === true,
    log: () => lines,
  };
}

async function isAlive(url: string): Promise<boolean> {
  try {
    const answer = await fetch(`${url}/livez`, { signal: AbortSignal.timeout(2_000) });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}
