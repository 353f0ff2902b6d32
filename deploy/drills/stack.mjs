import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** Runs a program to its end and returns its output. Throws with its errors if it fails. */
export async function run(command, args, { env = {}, input = '' } = {}) {
  const child = spawn(command, args, { cwd: ROOT, env: { ...process.env, ...env } });
  let output = '';
  let errors = '';
  child.stdout.on('data', (part) => (output += part));
  child.stderr.on('data', (part) => (errors += part));
  // The program may end without reading its input.
  child.stdin.on('error', () => {}).end(input);
  const code = await new Promise((done, fail) => child.once('error', fail).once('close', done));
  if (code !== 0)
    throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${errors || output}`);
  return output.trim();
}

async function freePort() {
  const server = createServer();
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

/**
 * Starts a separate stack of the latest images, with the sandbox and without limits or long waits.
 * `remove` deletes its containers and data.
 */
export async function createStack(name) {
  const [port, sandboxPort] = [await freePort(), await freePort()];
  const env = {
    COMPOSE_PROJECT_NAME: `drill-${name}-${process.pid}`,
    PORT: String(port),
    SANDBOX_PORT: String(sandboxPort),
    BEEHIIV_REQUESTS_PER_MINUTE: '0',
    BEEHIIV_BACKOFF_BASE_MS: '300',
    SANDBOX_REQUESTS_PER_MINUTE: '0',
    RATE_LIMIT_LEADS_PER_MINUTE: '0',
  };
  const compose = (...args) => run('docker', ['compose', ...args], { env });

  const psql = 'compose exec -T postgres psql -qAt -U site -d site -v ON_ERROR_STOP=1'.split(' ');
  const sql = (text) => run('docker', psql, { env, input: text });

  return {
    env,
    compose,
    sql,
    url: `http://127.0.0.1:${port}`,
    sandboxUrl: `http://127.0.0.1:${sandboxPort}`,
    up: (...args) => compose('up', '-d', '--no-build', ...args),
    script: (file, ...args) => run(`${ROOT}/deploy/${file}`, args, { env }),
    remove: () => compose('down', '--volumes', '--timeout', '5'),
    /** Returns the operator's login, which the first migration prints. */
    async login() {
      const log = await compose('logs', '--no-log-prefix', 'migrate');
      const find = (field) => log.match(new RegExp(`^${field}: (.+)$`, 'm'))?.[1];
      return { username: find('username'), password: find('password') };
    },
    async containers() {
      const rows = await compose('ps', '--format', '{{.ID}} {{.Service}} {{.Name}}');
      return rows.split('\n').map((row) => {
        const [id, service, containerName] = row.split(' ');
        return { id, service, name: containerName };
      });
    },
    /** Resolves when a container is healthy, or runs if nothing checks its health. */
    async untilHealthy(id) {
      await until(`${id} is healthy`, async () => {
        const state = await run('docker', [
          'inspect',
          '-f',
          '{{.State.Status}} {{if .State.Health}}{{.State.Health.Status}}{{else}}healthy{{end}}',
          id,
        ]);
        return state === 'running healthy';
      });
    },
    /** Resolves when no lead is pending. */
    async untilDelivered() {
      await until('every lead is delivered', async () => {
        return (await sql(`select count(*) from leads where beehiiv_status = 'pending'`)) === '0';
      });
    },
  };
}

/** Makes a release's archive of the latest images, and unpacks it into a folder. */
export async function unpackArchive(stack, folder) {
  // An image that was built here has an id, and no digest of a registry.
  const images = ['api:local', 'worker:local', 'proxy:local', 'postgres:17-2.55'].map(
    async (tag) =>
      `${tag.split(':')[0]} ${await run('docker', ['image', 'inspect', '-f', '{{.Id}}', `site/${tag}`])}\n`,
  );
  const list = join(folder, 'images.txt');
  await writeFile(list, (await Promise.all(images)).join(''));
  await stack.script('make-archive.sh', 'drill', list, folder);
  const archive = join(folder, 'site-drill.tar.gz');
  await run('tar', ['-xzf', archive, '-C', folder, '--strip-components=1']);
}

/** Signs an operator in, and returns the cookie. */
export async function logIn(url, login) {
  const answer = await fetch(`${url}/api/admin/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(login),
  });
  check(answer.status === 200, 'the operator signs in');
  return answer.headers.get('set-cookie').split(';')[0];
}

/** Checks that a site stores a lead. */
export async function checkIntake(url) {
  const answer = await fetch(`${url}/api/lead/subscribe`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'dora@drill.example', formType: 'pre_buy' }),
  });
  check(answer.status === 201, 'a lead is stored');
}

/** Checks that the only lead of a stack is stored and delivered. */
export async function checkDelivery(stack) {
  await checkIntake(stack.url);
  await stack.untilDelivered();
  check((await stack.sql(`select beehiiv_status from leads`)) === 'sent', 'and delivered');
}

/** Checks repeatedly until the condition is true. Throws after some minutes. */
export async function until(what, ask, minutes = 2) {
  const end = Date.now() + minutes * 60_000;
  while (Date.now() < end) {
    if (await ask().catch(() => false)) return;
    await delay(500);
  }
  throw new Error(`Not within ${minutes} minutes: ${what}`);
}

export function check(holds, sentence) {
  if (!holds) throw new Error(`FAILED: ${sentence}`);
  console.log(`  ok  ${sentence}`);
}
