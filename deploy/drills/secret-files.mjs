// Every secret comes from a file: "docker inspect" shows none of them, and a lead is stored and
// delivered.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check, checkDelivery, createStack, run } from './stack.mjs';

const [OWNER, APP, REDIS] = ['file-of-the-owner', 'file-of-the-role', 'file-of-redis'];
const PASSPHRASE = 'passphrase-of-the-backups';
export const FILES = {
  alert_webhook_url: '',
  // The sandbox accepts these only.
  beehiiv_api_key: 'sandbox-beehiiv-key',
  beehiiv_webhook_secret: 'webhook-secret-of-the-drill-from-a-file',
  database_url: `postgres://site_app:${APP}@postgres:5432/site`,
  migrate_database_url: `postgres://site:${OWNER}@postgres:5432/site`,
  pgbackrest_conf: `[global]\nrepo1-cipher-type=aes-256-cbc\nrepo1-cipher-pass=${PASSPHRASE}\n`,
  postgres_password: OWNER,
  redis_conf: `requirepass ${REDIS}\n`,
  redis_url: `redis://:${REDIS}@redis:6379`,
  session_secret: 'session-secret-of-the-drill-from-a-file',
  smtp_url: '',
  stripe_secret_key: 'sk_test_sandbox',
  stripe_webhook_secret: 'whsec_sandbox',
};
const SECRETS = [
  OWNER,
  PASSPHRASE,
  APP,
  REDIS,
  FILES.session_secret,
  FILES.beehiiv_api_key,
  FILES.stripe_webhook_secret,
  FILES.beehiiv_webhook_secret,
];

export async function drill() {
  const stack = await createStack('secret-files');
  const folder = await mkdtemp(join(tmpdir(), 'secret-files-drill-'));
  stack.env.COMPOSE_FILE =
    'docker-compose.yml:docker-compose.override.yml:deploy/compose.secrets.yml';
  stack.env.SECRETS_FOLDER = folder;
  try {
    for (const [name, content] of Object.entries(FILES))
      await writeFile(join(folder, name), content, { mode: 0o644 });
    await stack.up('--wait', 'api', 'worker', 'proxy', 'sandbox');
    const ready = await (await fetch(`${stack.url}/readyz`)).json();
    check(ready.status === 'ok', 'the stack runs with its secrets in files');

    const ids = (await stack.compose('ps', '--all', '--quiet')).split('\n');
    const shown = await run('docker', ['inspect', ...ids]);
    const ours = JSON.parse(shown).filter(({ Name }) => !/sandbox|stripe-setup/.test(Name));
    const seen = SECRETS.filter((secret) => JSON.stringify(ours).includes(secret));
    check(
      ours.length >= 7 && seen.length === 0,
      `docker inspect of ${ours.length} containers shows none of them ${seen.join(' ')}`,
    );

    await checkDelivery(stack);
  } finally {
    await stack.remove();
    await rm(folder, { recursive: true });
  }
}
