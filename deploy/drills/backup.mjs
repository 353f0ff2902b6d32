// Loses the database while leads arrive and restores it from a bucket: the newest state, a minute
// before a wrong deletion, and a dump. What keeps a restore from working ends with a sentence. A
// full disk of the backups stops no lead.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { check, createStack, logIn, run, until } from './stack.mjs';
import { startTrickle, tally } from './trickle.mjs';

const BUCKET = `FROM node:24-slim
RUN npm install --global s3rver@3.7.1 && mkdir /tls && cd /tls && openssl req -x509 -newkey ec -nodes -days 9 \
  -pkeyopt ec_paramgen_curve:P-256 -subj /CN=s3 -addext subjectAltName=DNS:s3 -keyout key -out cert
CMD s3rver -d /data -a 0.0.0.0 -p 443 --key /tls/key --cert /tls/cert --no-vhost-buckets --configure-bucket site`;

/** Returns when a task last succeeded, or ''. */
const taskOf = (stack, name) => stack.sql(`select covers_until from tasks where name = '${name}'`);
const conditionsOf = async (stack) =>
  (await (await fetch(`${stack.url}/readyz`)).json()).conditions;

/** Starts a bucket over TLS, and returns the files and settings with which backups go into it. */
export async function startBucket(bucket, folder) {
  await run('docker', ['build', '-t', bucket, '-'], { input: BUCKET });
  await run('docker', ['network', 'create', bucket]);
  const onNetwork = [`--name=${bucket}`, `--network=${bucket}`, '--network-alias=s3'];
  await run('docker', ['run', '-d', ...onNetwork, bucket]);
  await writeFile(
    join(folder, 'cert'),
    await run('docker', ['exec', bucket, 'sh', '-c', 'cat /tls/cert']),
  );
  const part = {
    environment: { PGBACKREST_REPO1_STORAGE_CA_FILE: '/tls/cert' },
    volumes: [`${folder}:/tls:ro`],
  };
  const file = join(folder, 'compose.json');
  await writeFile(
    file,
    JSON.stringify({
      services: { postgres: part, backup: part },
      networks: { outgoing: { name: bucket, external: true } },
    }),
  );
  await run('chmod', ['755', folder]);
  const settings = {
    BACKUP_PASSPHRASE: 'passphrase-of-the-drill',
    BACKUP_S3_ENDPOINT: 's3',
    BACKUP_S3_BUCKET: 'site',
    BACKUP_S3_REGION: 'us-east-1',
    BACKUP_S3_KEY: 'S3RVER',
    BACKUP_S3_SECRET: 'S3RVER',
  };
  return { files: [file], settings };
}

export async function stopBucket(bucket) {
  await run('docker', ['rm', '--force', '--volumes', bucket]);
  await run('docker', ['network', 'rm', bucket]);
  await run('docker', ['rmi', bucket]);
}

export async function drill() {
  const folder = await mkdtemp(join(tmpdir(), 'backup-drill-'));
  await drillBucket(folder).finally(() => rm(folder, { recursive: true }));
  await drillFullDisk();
}

async function drillBucket(folder) {
  const stack = await createStack('backup');
  const bucket = `${stack.env.COMPOSE_PROJECT_NAME}-s3`;
  const inBucket = (script) => run('docker', ['exec', bucket, 'sh', '-c', script]);
  /** Removes everything of the stack but Beehiiv, and the database with its volume. */
  const lose = async () => {
    await stack.compose('rm', '--stop', '--force', 'api', 'worker', 'proxy', 'backup', 'postgres');
    await run('docker', ['volume', 'rm', `${stack.env.COMPOSE_PROJECT_NAME}_postgres`]);
  };
  const restore = async (...args) => {
    const started = Date.now();
    const said = (await stack.script('restore.sh', ...args)).split('\n').at(-1);
    console.log(`  ${said} (${Math.round((Date.now() - started) / 1_000)} s)`);
  };
  const fails = async (what, said) => {
    const message = await stack.script('restore.sh').then(
      () => 'ended with 0',
      (error) => error.message,
    );
    check(message.includes(said), `${what}: it ends with "${said}"`);
  };
  try {
    const { files, settings } = await startBucket(bucket, folder);
    const ours = ['docker-compose.yml', 'docker-compose.override.yml', 'deploy/compose.s3.yml'];
    Object.assign(stack.env, settings, { COMPOSE_FILE: [...ours, ...files].join(':') });
    await stack.up();
    const login = await stack.login();
    const trickle = startTrickle(stack.url, { perSecond: 5 });
    await until('a backup', async () => (await taskOf(stack, 'backup')) !== '', 4);
    await until('a trial restore', async () => (await taskOf(stack, 'trial-restore')) !== '', 4);
    check(true, 'the first backup was made and restored on trial while leads arrived');
    await delay(70_000);

    await stack.compose('kill', 'postgres');
    const lostAt = Date.now();
    await lose();
    await restore();
    await delay(5_000);
    await until(
      'the log is archived within a minute of a start',
      async () =>
        stack.sql(
          `select 1 / count(*) from pg_stat_archiver where last_archived_time > pg_postmaster_start_time()`,
        ),
      1,
    );
    const { accepted, answeredAt, failures } = await trickle.stop();
    const kept = new Set((await stack.sql('select id from leads')).split('\n'));
    const lost = answeredAt.filter((_, n) => !kept.has(accepted[n]));
    const age = lost.length === 0 ? 0 : Math.ceil((lostAt - Math.min(...lost)) / 1_000);
    console.log(`  refused while the database was away: ${tally(failures)}`);
    check(
      age <= 60,
      `of ${accepted.length} leads answered, ${lost.length} of the last ${age} s are lost`,
    );
    await stack.untilDelivered();
    const { requests } = await (
      await fetch(`${stack.sandboxUrl}/_control/requests?target=beehiiv`)
    ).json();
    const subscribed = requests
      .filter(({ status }) => status === 201)
      .map(({ subject }) => subject);
    check(
      new Set(subscribed).size === subscribed.length,
      `none of ${subscribed.length} was added to Beehiiv twice`,
    );

    const inLondon = ['-e', 'TZ=Europe/London', '--entrypoint=date', 'site/postgres:17-2.55'];
    const clock = () => run('docker', ['run', '--rm', ...inLondon, '+%F %T']);
    const at = await clock();
    await delay(2_000);
    const [erased] = kept;
    const answer = await fetch(`${stack.url}/api/admin/people/erase`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        cookie: await logIn(stack.url, login),
      },
      body: JSON.stringify({
        email: await stack.sql(`select email from leads where id = '${erased}'`),
      }),
    });
    check(answer.status === 202, 'a person is erased in the console');
    const added = startTrickle(stack.url, { perSecond: 5 });
    await delay(2_000);
    const { accepted: later } = await added.stop();
    await delay(2_000);
    const secondAt = await clock();
    await delay(2_000);
    await stack.sql('delete from leads');
    await stack.compose('stop', 'postgres');
    await lose();
    await restore(at);
    const idsBack = async () => (await stack.sql('select id from leads')).split('\n');
    const first = await idsBack();
    check(!later.some((id) => first.includes(id)), 'the first minute has none of the later leads');
    await stack.compose('stop', 'postgres');
    await lose();
    await restore(secondAt);
    const second = await idsBack();
    check(
      later.every((id) => second.includes(id)),
      `a later minute comes back after an earlier one, with ${later.length} later leads`,
    );
    const windows = await stack.script('restore.sh', '--list');
    check(/timeline 1 [^]*timeline 2 /.test(windows), 'the windows of each timeline are listed');
    const back = second.filter((id) => !later.includes(id));
    const missing = accepted.filter((id, n) => !lost.includes(answeredAt[n]) && !back.includes(id));
    check(
      missing.join() === erased,
      `${back.length} leads are back, and who was erased later is not`,
    );

    const dump = join(folder, 'site.dump');
    await stack.script('backup.sh', dump);
    await stack.script('restore.sh').then(
      () => check(false, 'a running stack is refused'),
      (error) => check(error.message.includes('still answers'), 'a running stack is refused'),
    );
    await stack.compose('stop', 'postgres');
    await fails('a volume that is not empty', 'not empty');
    await lose();
    stack.env.BACKUP_PASSPHRASE = 'another-passphrase';
    await fails('with a wrong passphrase', 'Is BACKUP_PASSPHRASE right');
    stack.env.BACKUP_PASSPHRASE = 'passphrase-of-the-drill';
    await inBucket(
      'cd /data/site/site/archive/site/17-1/*/; ls *.zst._S3rver_object | tail -n 3 | head -n 1 > /last; cp $(cat /last) /whole; truncate -s 1000 $(cat /last)',
    );
    await fails('with a truncated segment', 'or is damaged');
    await inBucket('cp /whole /data/site/site/archive/site/17-1/*/$(cat /last)');
    await run('docker', ['pause', bucket]);
    await fails('with a bucket that does not answer', 'does the bucket answer');
    await run('docker', ['unpause', bucket]);
    await restore();
    check(
      (await stack.sql('select count(*) from leads')) === String(second.length),
      'nothing of it lost a lead',
    );

    await lose();
    await restore(dump);
    check(
      (await stack.sql('select count(*) from leads')) === String(second.length),
      'the dump has them, too',
    );
    await until(
      'a full backup of the new database',
      async () => (await taskOf(stack, 'backup')) !== '',
      4,
    );

    await stack.compose('stop', 'postgres');
    await lose();
    await restore(secondAt);
    const before = await taskOf(stack, 'backup');
    const isNewer = async () => (await taskOf(stack, 'backup')) > before;
    await until('a backup after a restore to before the dump', isNewer, 4);
    check(true, 'the backups go on after a restore to before the dump');
  } finally {
    await stack.remove();
    await stopBucket(bucket);
  }
}

async function drillFullDisk() {
  const stack = await createStack('backup-full');
  const folder = await mkdtemp(join(tmpdir(), 'backup-drill-'));
  const small = { driver_opts: { type: 'tmpfs', device: 'tmpfs', o: 'size=160m,uid=999' } };
  await writeFile(join(folder, 'compose.json'), JSON.stringify({ volumes: { backups: small } }));
  stack.env.COMPOSE_FILE = `docker-compose.yml:docker-compose.override.yml:${folder}/compose.json`;
  stack.env.BACKUP_QUEUE_MAX = '32MiB';
  try {
    await stack.up();
    await until('the site answers', async () => (await fetch(`${stack.url}/readyz`)).ok);
    const trickle = startTrickle(stack.url, { perSecond: 5 });
    await until('a backup', async () => (await taskOf(stack, 'backup')) !== '', 4);
    const before = await taskOf(stack, 'backup');
    const inBackup = (script) => stack.compose('exec', '-T', 'backup', 'sh', '-c', script);
    await inBackup('dd if=/dev/zero of=/var/lib/pgbackrest/full bs=1M 2> /dev/null || true');
    const fails = async () => (await conditionsOf(stack)).includes('backup-failing');
    await until('the condition of a full disk', fails, 8);
    const refused = () => stack.sql(`select failure from tasks where name = 'backup'`);
    const isRefused = async () => /only \d+ MB are free/.test(await refused());
    await until('a backup is refused', isRefused, 8);
    check(true, `a full disk raises the condition, and the backup says: ${await refused()}`);
    await inBackup('rm /var/lib/pgbackrest/full');
    const isOver = async () => (await taskOf(stack, 'backup')) > before && !(await fails());
    const roomAt = Date.now();
    await until('a full backup ends the condition', isOver, 4);
    const tookS = Math.round((Date.now() - roomAt) / 1_000);
    check(true, `with room again, a full backup ends it after ${tookS} s`);
    const log = await stack.compose('logs', '--no-log-prefix', 'postgres');
    check(!log.includes('contains errors'), 'Postgres finds no error in its configuration');
    const { accepted, failures } = await trickle.stop();
    check(
      failures.length === 0,
      `all of ${accepted.length} leads were stored meanwhile (${tally(failures)})`,
    );
  } finally {
    await stack.remove();
    await rm(folder, { recursive: true });
  }
}
