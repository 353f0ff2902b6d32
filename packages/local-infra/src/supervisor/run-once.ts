import { StartFailure } from '../failure.ts';
import { startChild } from './child.ts';
import type { Program } from './child.ts';
import { toTerminalLine } from './log-lines.ts';

/** Runs a program to its end. Rejects with its terminal lines if it fails. */
export async function runOnce(name: string, program: Program, signal: AbortSignal): Promise<void> {
  const said: string[] = [];
  const child = startChild(program, (line) => {
    const shown = toTerminalLine(line);
    if (shown !== undefined) said.push(shown);
  });
  const stop = () => void child.stop();
  signal.addEventListener('abort', stop);
  await child.ended;
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  if (child.exitCode() !== 0) {
    throw new StartFailure(`${name} failed: ${said.slice(-12).join('\n') || 'it gave no reason'}`);
  }
}
