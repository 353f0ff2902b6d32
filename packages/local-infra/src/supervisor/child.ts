import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

import { waitUntil } from '../wait-until.ts';

export type Program = {
  /** Path of the script for Node. */
  script: string;
  args?: string[];
  cwd: string;
  env: Record<string, string | undefined>;
};

export type Child = {
  pid: number;
  hasEnded(): boolean;
  /** Resolves with the reason as text. */
  ended: Promise<string>;
  exitCode(): number | null;
  stop(): Promise<void>;
};

/**
 * A stack trace names our files and lines, and a burst of requests causes less garbage collection.
 * As in the images.
 */
const NODE_FLAGS = ['--enable-source-maps', '--max-semi-space-size=64'];
// Longer than the 20 s our processes allow themselves.
const STOP_DEADLINE_MS = 25_000;

/**
 * Starts one of our programs and passes on its output line by line. It has its own process group,
 * so that we decide the order of stopping on Ctrl-C, and an IPC channel, which closes if we are
 * killed.
 */
export function startChild(
  program: Program,
  onLine: (line: string, from: 'stdout' | 'stderr') => void,
): Child {
  const child = spawn(process.execPath, [...NODE_FLAGS, program.script, ...(program.args ?? [])], {
    cwd: program.cwd,
    env: program.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let isOver = false;
  const ended = new Promise<string>((resolve) => {
    const end = (why: string) => {
      isOver = true;
      resolve(why);
    };
    child.once('error', (error) => end(error.message));
    // `close` rather than `exit`: only then has all output been read.
    child.once('close', () => end(toReason(child)));
  });
  for (const from of ['stdout', 'stderr'] as const) {
    const stream = child[from];
    if (stream !== null)
      createInterface({ input: stream }).on('line', (line) => onLine(line, from));
  }
  return {
    pid: child.pid ?? 0,
    hasEnded: () => isOver,
    ended,
    exitCode: () => child.exitCode,
    stop: async () => {
      if (isOver) return;
      child.kill('SIGTERM');
      if (await waitUntil(() => isOver, STOP_DEADLINE_MS)) return;
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function toReason(child: ChildProcess): string {
  return child.signalCode === null ? `exit code ${child.exitCode}` : child.signalCode;
}
