// Runs the pods of deploy/kubernetes with "podman kube play" (needs podman and catatonit): real
// images, users, limits and read-only file systems. The Job runs as a Pod, API and worker once each,
// and the secrets are a folder. Ingress, Service, NetworkPolicy and rolling updates are not tried.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check, checkIntake, ROOT, run, until } from './stack.mjs';

const NAME = `drill-kubernetes-${process.pid}`;
const STORES = { postgres: 'site/postgres:17-2.55', redis: 'redis:8' };
const SECRETS = {
  database_url: 'postgres://site_app:password-of-app@postgres:5432/site',
  migrate_database_url: 'postgres://site:password-of-owner@postgres:5432/site',
  redis_url: 'redis://:password-of-redis@redis:6379',
  session_secret: 'a-session-secret-of-the-kubernetes-drill',
  stripe_secret_key: 'sk_test_51OfTheKubernetesDrill',
  stripe_webhook_secret: 'whsec_OfTheKubernetesDrill',
  beehiiv_api_key: 'key-of-the-kubernetes-drill',
  beehiiv_webhook_secret: '',
};
const podman = (line, ...args) => run('podman', [...line.split(' '), ...args]);
const read = (name) => readFile(join(ROOT, `deploy/kubernetes/${name}.yml`), 'utf8');

/** Returns a manifest with a folder as its secret, open ports, one replica, and a Job as a Pod. */
const toPlayed = (manifest, folder) =>
  manifest
    .replace(/secret: \{ secretName.*?\}/, `hostPath: { path: ${folder} }`)
    .replace(/secret:\n +secretName: .*\n(?: {12}.*\n)+/, `hostPath: { path: ${folder} }\n`)
    .replace(/containerPort: (\d+)/, 'containerPort: $1, hostPort: 1$1')
    .replace('replicas: 2', 'replicas: 1')
    .replace('batch/v1\nkind: Job', 'v1\nkind: Pod')
    .replace(/^spec:\n {2}backoffLimit[^]*? {4}spec:\n([^]*)/m, (_, pod) =>
      'spec:\n'.concat(pod.replaceAll(/^ {4}/gm, '')),
    );

export async function drill() {
  const folder = await mkdtemp(join(tmpdir(), 'kubernetes-drill-'));
  await run('chmod', ['755', folder]);
  const play = async (name) => {
    const settings = `${await read('settings')}  ALLOW_PLAINTEXT: postgres,redis\n`;
    const file = join(folder, `${name}.yml`);
    await writeFile(file, `${settings}---\n${toPlayed(await read(name), folder)}`);
    await podman(`kube play --network ${NAME}`, file);
  };
  const sql = (text) => podman(`exec ${NAME}-postgres psql -qAt -U site -d site -c`, text);
  const ask = async (port) => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
  try {
    for (const [name, value] of Object.entries(SECRETS)) await writeFile(join(folder, name), value);
    const images = ['site/api:local', 'site/worker:local', ...Object.values(STORES)].join(' ');
    await run('sh', ['-c', `docker save ${images} | podman load`]);
    await podman(`network create ${NAME}`);
    const serve = (name, ...options) =>
      podman(`run -d --network ${NAME} --network-alias ${name} --name ${NAME}-${name}`, ...options);
    const login = ['POSTGRES_USER=site', 'POSTGRES_PASSWORD=password-of-owner'];
    const locale = '--encoding=UTF8 --locale-provider=builtin --builtin-locale=C.UTF-8 --locale=C';
    const env = [...login, `POSTGRES_INITDB_ARGS=${locale}`].flatMap((each) => ['-e', each]);
    await serve('postgres', ...env, STORES.postgres);
    await serve('redis', STORES.redis, 'redis-server', '--requirepass', 'password-of-redis');
    await until('Postgres answers', () =>
      podman(`exec ${NAME}-postgres pg_isready -q -h 127.0.0.1 -U site`).then(() => true),
    );
    await play('migrate');
    const ended = () => podman('inspect -f {{.State.Status}}{{.State.ExitCode}} migrate-migrate');
    await until('migrate ends', async () => (await ended()) === 'exited0');
    check(true, 'the settings are right, and the database is set up');
    await play('api');
    await play('worker');
    await until('the API is ready', () => ask(18_080));
    await until('the worker is ready', () => ask(18_081));
    const format = '{{.Config.User}} {{.HostConfig.ReadonlyRootfs}} {{.HostConfig.Memory}}';
    const limits = await podman('inspect api-pod-0-api worker-pod-0-worker -f', format);
    const isBound = limits.split('\n').every((each) => each === '1000:1000 true 536870912');
    check(isBound, 'API and worker are ready, as user 1000, read-only, with 512 MB');
    await checkIntake('http://127.0.0.1:18080');
    const isTried = async () => (await sql('select count(*) from lead_sync_attempts')) !== '0';
    await until('the worker tries to send it', isTried);
  } finally {
    await podman('pod rm --force --ignore migrate api-pod-0 worker-pod-0');
    for (const name of Object.keys(STORES)) await podman(`rm --force --volumes ${NAME}-${name}`);
    await podman(`network rm --force ${NAME}`);
    await rm(folder, { recursive: true });
  }
}
