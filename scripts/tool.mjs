import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

import { Failure } from './failure.mjs';

const SHOWN_LINES = 20;
const PROGRESS_EVERY_MS = 10_000;
// The time that a program may take to stop. A test runner has servers to stop, a compiler has not.
const TOOL_STOP_MS = 1_000;
const RUNNER_STOP_MS = 8_000;

/**
 * Runs a tool to its end and shows the elapsed time. If it fails, throws a Failure with its last
 * lines and `advice`. If `signal` aborts, first stops the tool and everything it started.
 */
export async function runTool({ title, command, cwd, advice, signal, env = {} }) {
  const since = performance.now();
  const said = { text: '' };
  const child = start(command, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => (said.text = (said.text + chunk).slice(-20_000)));
  }
  const stopShowing = showProgress(title, since, said);
  try {
    const code = await toEnd(child, signal, TOOL_STOP_MS);
    stopShowing(code === 0 ? '✓' : '✗');
    if (code !== 0) throw new Failure(`${title} failed.\n\n${lastLines(said.text)}\n\n${advice}`);
  } catch (error) {
    stopShowing('✗');
    throw error;
  }
}

/** Runs a tool on this terminal and returns its exit code. */
export function runInForeground({ command, cwd, signal, env = {} }) {
  return toEnd(
    start(command, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] }),
    signal,
    RUNNER_STOP_MS,
  );
}

/** Runs a tool silently and returns its exit code and output. */
export async function runQuietly({ command, cwd, signal, env = {} }) {
  const child = start(command, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => (output += chunk));
  return { code: await toEnd(child, signal, TOOL_STOP_MS), output };
}

// In its own process group, so that everything the tool started can be stopped with it.
function start([program, ...args], { cwd, env, stdio }) {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, ...env },
    detached: true,
    stdio,
  });
  if (child.pid !== undefined) stopWithUs(child);
  return child;
}

/** Ends the group $1 once its standard input closes. */
const GUARD = 'read -r line; kill -s TERM -- "-$1"; sleep 1; kill -s KILL -- "-$1"';

/** Stops a tool if this process is killed, which closes the guard's standard input. */
function stopWithUs(tool) {
  const guard = spawn('/bin/sh', ['-c', GUARD, 'sh', String(tool.pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.on('error', () => undefined);
  guard.unref();
  guard.stdin.unref();
  tool.once('exit', () => guard.kill('SIGKILL'));
}

async function toEnd(child, signal, patienceMs) {
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
  const ending = [];
  const end = () => void ending.push(endInOrder(child, ended, patienceMs));
  if (signal?.aborted) end();
  signal?.addEventListener('abort', end, { once: true });
  try {
    const code = await ended;
    await Promise.all(ending);
    signal?.throwIfAborted();
    return code;
  } finally {
    signal?.removeEventListener('abort', end);
  }
}

// Asks the tool first, so that it can stop what it started. Then stops the rest of its group.
async function endInOrder(child, ended, patienceMs) {
  child.kill('SIGTERM');
  for (const name of ['SIGTERM', 'SIGKILL']) {
    await Promise.race([ended, sleep(patienceMs, undefined, { ref: false })]);
    endGroup(child.pid, name);
  }
}

function endGroup(pid, name) {
  try {
    process.kill(-pid, name);
  } catch {
    // The group has already ended.
  }
}

function showProgress(title, since, said) {
  const out = process.stdout;
  const seconds = () => `${((performance.now() - since) / 1000).toFixed(1)} s`;
  const show = () => {
    if (out.isTTY) out.write(`\r\u001B[K  … ${title} ${seconds()}`);
    else out.write(`  … ${title} ${seconds()}: ${lastLines(said.text, 1)}\n`);
  };
  if (out.isTTY) show();
  const timer = setInterval(show, out.isTTY ? 200 : PROGRESS_EVERY_MS);
  let isShowing = true;
  return (mark) => {
    if (!isShowing) return;
    isShowing = false;
    clearInterval(timer);
    out.write(`${out.isTTY ? '\r\u001B[K' : ''}  ${mark} ${title} ${seconds()}\n`);
  };
}

function lastLines(text, count = SHOWN_LINES) {
  return text.trimEnd().split('\n').slice(-count).join('\n');
}
