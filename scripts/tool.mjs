import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

import { Failure } from './failure.mjs';

const SHOWN_LINES = 20;
const STILL_AT_IT_MS = 10_000;
// A compiler has nothing to lose; a test runner has servers to stop.
const TOOL_PATIENCE_MS = 1_000;
const RUNNER_PATIENCE_MS = 8_000;

/**
 * Runs a tool to its end while saying how long it has been at it. Fails with its last lines and `advice` when it does.
 * When `signal` aborts, the tool and all that it started are ended first.
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
    const code = await toEnd(child, signal, TOOL_PATIENCE_MS);
    stopShowing(code === 0 ? '✓' : '✗');
    if (code !== 0) throw new Failure(`${title} failed.\n\n${lastLines(said.text)}\n\n${advice}`);
  } catch (error) {
    stopShowing('✗');
    throw error;
  }
}

/** Runs a tool with the terminal as its own and answers its exit code. */
export function runInForeground({ command, cwd, signal, env = {} }) {
  return toEnd(start(command, { cwd, env, stdio: ['ignore', 'inherit', 'inherit'] }), signal, RUNNER_PATIENCE_MS);
}

/** Runs a tool silently and answers its exit code and all it said. */
export async function runQuietly({ command, cwd, signal, env = {} }) {
  const child = start(command, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  return { code: await toEnd(child, signal, TOOL_PATIENCE_MS), output };
}

// A group of its own, so that everything a tool has started can be ended with it.
function start([program, ...args], { cwd, env, stdio }) {
  return spawn(program, args, { cwd, env: { ...process.env, ...env }, detached: true, stdio });
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

// The tool is asked first, so that it can end and reap what it has started; then whatever is left is ended.
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
    // It has ended by itself.
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
  const timer = setInterval(show, out.isTTY ? 200 : STILL_AT_IT_MS);
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
