import { setTimeout as sleep } from 'node:timers/promises';

import { StartFailure } from '../failure.ts';
import { startChild } from './child.ts';
import type { Program } from './child.ts';
import type { Part, Running } from './keep-running.ts';
import { openLogFile } from '../log-file.ts';
import { createRepeatFilter, toTerminalLine } from './log-lines.ts';

export type Service = Program & {
  name: string;
  /** Answers 200 once the service can be used. */
  readyUrl: string;
  logFile: string;
  /** Runs after each start, before the service counts as started. */
  afterReady?: () => Promise<void>;
};

const READY_DEADLINE_MS = 60_000;
const SHOWN_LINES = 12;

/** Makes a part of one of our HTTP services. Its warnings and errors are shown on the terminal. */
export function serviceToPart(
  service: Service,
  say: (line: string) => void,
  signal: AbortSignal,
): Part {
  const log = openLogFile(service.logFile, say);
  const filterRepeats = createRepeatFilter(() => performance.now());
  return {
    name: service.name,
    start: async (): Promise<Running> => {
      const said: string[] = [];
      let isReady = false;
      const warnings: string[] = [];
      const child = startChild(service, (line, stream) => {
        log(line);
        const shown = toTerminalLine(line);
        if (shown === undefined) return;
        if (!isReady) said.push(shown);
        // Plain lines on standard output are not shown. Standard error and logged warnings are.
        if (stream === 'stdout' && shown === line) return;
        if (isReady) sayOnce(shown);
        else warnings.push(shown);
      });
      const sayOnce = (line: string) => {
        const shown = filterRepeats(`${service.name} ${line}`);
        if (shown !== undefined) say(shown);
      };
      try {
        await waitForReady(service, child, said, signal);
        await service.afterReady?.();
      } catch (error) {
        await child.stop();
        throw error;
      }
      isReady = true;
      for (const line of warnings) sayOnce(line);
      return child;
    },
  };
}

async function waitForReady(
  service: Service,
  child: { hasEnded(): boolean },
  said: string[],
  signal: AbortSignal,
): Promise<void> {
  const deadline = performance.now() + READY_DEADLINE_MS;
  for (;;) {
    signal.throwIfAborted();
    if (child.hasEnded()) {
      throw new StartFailure(
        `${service.name} did not start: ${toReason(said)} (log: ${service.logFile})`,
      );
    }
    if (await answersOk(service.readyUrl)) return;
    if (performance.now() > deadline) {
      throw new StartFailure(
        `${service.name} was not ready after a minute: ${toReason(said)} (log: ${service.logFile})`,
      );
    }
    await sleep(50);
  }
}

function toReason(said: string[]): string {
  if (said.length === 0) return 'it gave no reason';
  return said.length === 1 ? String(said[0]) : `\n${said.slice(-SHOWN_LINES).join('\n')}\n`;
}

async function answersOk(url: string): Promise<boolean> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2_000), redirect: 'manual' });
    await answer.body?.cancel();
    return answer.ok;
  } catch {
    return false;
  }
}
