// The production stack with other Postgres and Redis servers, over TLS with their own CA. A wrong
// CA and the IP address of a cluster node are refused with a helpful sentence.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check, checkIntake, createStack, run, until } from './stack.mjs';

const POSTGRES = 'database.elsewhere';
const REDIS = 'redis.elsewhere';

const docker = (line, ...more) => run('docker', [...line.split(' '), ...more]);

/**
 * Makes a CA, its certificate for both servers, and another CA, with openssl from the Postgres
 * image.
 */
async function makeCertificates(folder) {
  const script = `
    set -e
    cd /work
    for ca in ca wrong; do
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj "/CN=$ca" -keyout $ca.key -out $ca.pem
    done
    openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=server -keyout server.key -out server.csr
    printf 'subjectAltName=DNS:${POSTGRES},DNS:${REDIS}' > names
    openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 2 -extfile names -out server.pem
    mkdir -p /work/trusted && cp ca.pem wrong.pem /work/trusted && chmod 755 . trusted && chmod 644 *.pem trusted/*
    install -m 640 -g postgres server.key postgres.key
    install -m 644 server.key redis.key`;
  await docker(`run --rm -v ${folder}:/work --entrypoint sh postgres:17 -c`, script);
}

const address = (user, password, ca) =>
  `postgres://${user}:${password}@${POSTGRES}:5432/site?sslmode=verify-full&sslrootcert=/run/ca/${ca}.pem`;

/**
 * Starts Postgres, Redis and a node of a cluster on a network of their own, over TLS, and returns
 * the files and settings of a stack that uses them.
 */
export async function startServers(network, folder) {
  const servers = [];
  const serve = async (image, alias, args, options = []) => {
    const line = `run -d --network ${network} --network-alias ${alias} -v ${folder}:/tls:ro`;
    servers.push(await docker(line, ...options, image, ...args.split(' ')));
    return servers.at(-1);
  };
  const stop = async () => {
    if (servers.length > 0) await docker('rm --force --volumes', ...servers);
    await docker(`network rm ${network}`).catch(() => '');
  };
  try {
    await mkdir(folder, { recursive: true });
    await makeCertificates(folder);
    await docker(`network create ${network}`);
    const postgres = await serve(
      'postgres:17',
      POSTGRES,
      'postgres -c ssl=on -c ssl_cert_file=/tls/server.pem -c ssl_key_file=/tls/postgres.key',
      [
        '--env=POSTGRES_PASSWORD=password-of-owner',
        '--env=POSTGRES_USER=owner',
        '--env=POSTGRES_DB=site',
        '--env=POSTGRES_INITDB_ARGS=--encoding=UTF8 --locale-provider=builtin --builtin-locale=C.UTF-8 --locale=C',
      ],
    );
    const redisTls =
      '--tls-port 6380 --tls-cert-file /tls/server.pem --tls-key-file /tls/redis.key';
    const redis = await serve(
      'redis:8',
      REDIS,
      `redis-server --requirepass password-of-redis --maxmemory-policy noeviction ${redisTls} --tls-ca-cert-file /tls/ca.pem --tls-auth-clients no`,
    );
    const node = 'valkey-server --cluster-enabled yes --requirepass password-of-redis';
    await serve('valkey/valkey:8', 'node.elsewhere', node);
    await until('Postgres answers', () =>
      docker(`exec ${postgres} pg_isready -h 127.0.0.1 -U owner`),
    );
    await docker(`exec ${redis} redis-cli -a password-of-redis ping`);
    const networkFile = join(folder, 'network.json');
    await writeFile(
      networkFile,
      JSON.stringify({ networks: { outside: { name: network, external: true } } }),
    );
    const settings = {
      CA_FOLDER: join(folder, 'trusted'),
      DATABASE_URL: address('site_app', 'password-of-app', 'ca'),
      MIGRATE_DATABASE_URL: address('owner', 'password-of-owner', 'ca'),
      REDIS_URL: `rediss://:password-of-redis@${REDIS}:6380?ssl_ca_certs=/run/ca/ca.pem`,
    };
    return { postgres, files: [networkFile], settings, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

export async function drill() {
  const stack = await createStack('managed');
  const folder = await mkdtemp(join(tmpdir(), 'managed-drill-'));
  const network = `${stack.env.COMPOSE_PROJECT_NAME}-elsewhere`;
  const { postgres, files, settings, stop } = await startServers(network, folder);
  try {
    Object.assign(stack.env, settings, {
      COMPOSE_FILE: ['docker-compose.yml', 'deploy/compose.managed.yml', ...files].join(':'),
      PUBLIC_URL: 'https://ledger.example',
      SESSION_SECRET: 'a-session-secret-of-the-managed-drill',
      STRIPE_SECRET_KEY: 'sk_test_51OfTheManagedDrill',
      STRIPE_WEBHOOK_SECRET: 'whsec_OfTheManagedDrill',
      SAMPLE_SITE_URL: 'https://samples.example',
      OFFER_PHASE: 'launch',
      OFFER_PRICE_RISES_ON: '2099-01-01',
      BEEHIIV_API_KEY: 'key-of-the-managed-drill',
      BEEHIIV_PUBLICATION_ID: 'pub_00000000-0000-0000-0000-000000000000',
    });

    await stack.up('--wait');
    const ready = await (await fetch(`${stack.url}/readyz`)).json();
    check(ready.status === 'ok', 'all containers are healthy, over TLS');
    const sql = (text) => docker(`exec ${postgres} psql -qAt -U owner -d site -c`, text);
    const encrypted = await sql(
      `select bool_and(ssl) from pg_stat_ssl join pg_stat_activity using (pid) where usename = 'site_app'`,
    );
    check(
      encrypted === 't',
      'every connection to Postgres is encrypted, and of the role that owns nothing',
    );
    await checkIntake(stack.url);
    // The doctor also finds that Stripe does not answer, and so ends with 1.
    const command = 'node services/api/dist/commands/doctor.js --json || true';
    const once = ['run', '--rm', '--no-deps', '-T'];
    const doctor = await stack.compose(...once, 'api', 'sh', '-c', command);
    check(/"Redis","level":"ok"/.test(doctor), 'the doctor proves the queue');

    const refused = async (service, file, env) => {
      const flags = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
      const program = `services/api/dist/${file}.js`;
      return stack.compose(...once, ...flags, service, 'node', program).then(
        () => 'not refused',
        (error) => error.message,
      );
    };
    const wrongCa = await refused('migrate', 'commands/migrate', {
      MIGRATE_DATABASE_URL: address('owner', 'password-of-owner', 'wrong'),
    });
    check(wrongCa.includes('with sslrootcert'), 'a wrong CA is refused, and the parameter named');
    const ofCluster = await refused('api', 'main', {
      REDIS_URL: 'redis://:password-of-redis@node.elsewhere:6379',
      ALLOW_PLAINTEXT: 'node.elsewhere',
    });
    check(
      ofCluster.includes('one node of a Redis Cluster'),
      'a real node of a cluster is refused at the start',
    );
  } finally {
    await stack.remove().catch((error) => console.error(`  ${error.message}`));
    await stop();
    await rm(folder, { recursive: true, force: true });
  }
}
