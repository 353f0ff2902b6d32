// Types every command of the documents for engineers into the stack of a release's archive, with
// each overlay. Each must succeed, or stand below with the reason why it cannot be typed here.
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startBucket, stopBucket } from './backup.mjs';
import { startServers } from './managed.mjs';
import { FILES } from './secret-files.mjs';
import { check, createStack, ROOT, run, unpackArchive } from './stack.mjs';

const PAGES = [
  ...['install', 'update', 'backup', 'operations'].map((name) => `docs/${name}.md`),
  ...readdirSync(join(ROOT, 'docs/alerts')).map((name) => `docs/alerts/${name}`),
];

/** Why a command is not typed. The first pattern that matches it gives the reason. */
const NOT_TYPED = [
  [/^(npm run|psql "\$DB"|DB=|tail -n|grep '"level"|df -h \.data|curl .*:8081)/, 'for npm start'],
  [/^[A-Z\d_]+=\S*$/, 'a setting, not a command'],
  [/^(mkdir|tar|cp) /, 'the drill has unpacked the archive and written .env'],
  [/admin-user\.js add admin/, 'migrate has made an operator of that name'],
  [/ --build|docker compose build|^RELEASE=/, 'needs the sources'],
  [/keep-settings\.sh/, 'asks for a passphrase; a unit test runs it'],
  [/down|docker volume rm|compose rm |restore\.sh/, 'ends the stack; the drill "backup" types it'],
  [/drop owned|password site|SETUSER/, 'changes a secret; the drill "secrets" types it'],
  [/image prune/, 'would remove the images of this machine'],
  [/^docker inspect$|run --rm --no-deps$|NAME|^(docker|deploy)\S+\.(yml|json)$/, 'a part of one'],
];
const ELSEWHERE =
  /\b(exec|up|ps|logs|-d|--wait)\b.* (postgres|redis|backup)\b|backup\.sh|site_outside/;
/** The doctor ends with 1 if it finds something, and so does grep if it finds nothing. */
const MAY_END_WITH_1 = /doctor\.js|reconcile\.js|\| grep/;

/** Returns the commands of the documents, in their order, each once. */
function readCommands() {
  const commands = PAGES.flatMap((page) => {
    const text = readFileSync(join(ROOT, page), 'utf8');
    const blocks = [...text.matchAll(/^ *```sh\n(.*?)^ *```/gms)].flatMap(([, block]) =>
      block.split('\n').map((line) => line.trim()),
    );
    const inline = [
      ...text.matchAll(/`((?:docker |deploy\/|(?:api|worker) node |migrate$)[^`\n]*)`/g),
    ].map(([, command]) => command);
    return [...blocks, ...inline].filter((line) => line !== '' && !line.startsWith('#'));
  });
  return [...new Set(commands)].map((command) =>
    /^(api|worker) node /.test(command)
      ? `docker compose run --rm --no-deps ${command}`
      : command.replace(/ +#.*$/, ''),
  );
}

/** Each overlay's files and settings, and what it starts beside the stack. */
const OVERLAYS = {
  plain: async () => ({ files: [] }),
  'secrets in files': async (folder) => {
    await mkdir(join(folder, 'secrets'));
    for (const [name, content] of Object.entries(FILES))
      await writeFile(join(folder, 'secrets', name), content, { mode: 0o644 });
    return { files: ['deploy/compose.secrets.yml'] };
  },
  managed: async (folder) => {
    const servers = await startServers('pages-elsewhere', join(folder, 'servers'));
    return { ...servers, files: ['deploy/compose.managed.yml', ...servers.files] };
  },
  'backups outside': async (folder) => {
    await mkdir(join(folder, 'bucket'));
    const bucket = await startBucket('pages-s3', join(folder, 'bucket'));
    return {
      ...bucket,
      stop: () => stopBucket('pages-s3'),
      files: ['deploy/compose.s3.yml', ...bucket.files],
    };
  },
};

export async function drill() {
  const commands = readCommands();
  const reasonOf = (command) => NOT_TYPED.find(([what]) => what.test(command))?.[1];
  const typed = commands.filter((command) => reasonOf(command) === undefined);
  for (const [, reason] of NOT_TYPED) {
    const those = commands.filter((command) => reasonOf(command) === reason);
    console.log(`  ${those.length} not typed: ${reason}`);
  }
  const failures = [];
  for (const overlay of Object.keys(OVERLAYS)) failures.push(...(await typeAll(overlay, typed)));
  await checkMonitoring();
  for (const failure of failures) console.error(`  ${failure}`);
  check(failures.length === 0, 'every command that was typed works with every overlay');
}

const lastLine = (text) => text.trim().split('\n').at(-1);

/** The sandbox has test keys only, and the stack a port of its own. */
const toTyped = (command, port) => command.replace(' --live', '').replaceAll(':8080', `:${port}`);

async function typeAll(overlay, commands) {
  const stack = await createStack('pages');
  const parent = await mkdtemp(join(tmpdir(), 'pages-drill-'));
  const folder = join(parent, 'site');
  await mkdir(folder);
  let servers = {};
  try {
    await unpackArchive(stack, folder);
    servers = await OVERLAYS[overlay](folder);
    const { COMPOSE_PROJECT_NAME: _name, ...env } = stack.env;
    // Typed by a command instead, and --wait fails for a container that has ended.
    await writeFile(join(folder, 'no-set-up.yml'), 'services: { stripe-setup: !reset null }');
    const trial = `${ROOT}/docker-compose.override.yml`;
    const files = ['docker-compose.yml', trial, ...servers.files, 'no-set-up.yml'];
    const settings = { ...env, ...servers.settings, COMPOSE_FILE: files.join(':') };
    const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`);
    await writeFile(join(folder, '.env'), lines.join(''), { mode: 0o600 });
    // A terminal of its own, because a person has one.
    const type = (command) =>
      run('script', ['--quiet', '--return', '--command', `cd ${folder} && ${command}`, '/dev/null'])
        .then(() => null)
        .catch(({ message }) => message);
    const isElsewhere = (command) => overlay === 'managed' && ELSEWHERE.test(command);
    const failures = [];
    let count = 0;
    for (const command of ['docker compose up -d --wait api worker proxy sandbox', ...commands]) {
      if (isElsewhere(command)) continue;
      count += 1;
      const failure = await type(toTyped(command, env.PORT));
      const isExpected = failure?.includes('ended with 1:') && MAY_END_WITH_1.test(command);
      if (failure !== null && !isExpected)
        failures.push(`${overlay}: ${command}: ${lastLine(failure)}`);
    }
    console.log(`  ${overlay}: ${count} commands, ${failures.length} failed`);
    return failures;
  } finally {
    await run('docker', ['compose', '--project-name', 'site', 'down', '--volumes']);
    await servers.stop?.();
    await rm(parent, { recursive: true, force: true });
  }
}

async function checkMonitoring() {
  const env = {
    COMPOSE_FILE: 'docker-compose.yml:docker-compose.override.yml:deploy/monitoring/compose.yml',
    GRAFANA_PASSWORD: 'only-for-the-syntax',
    ALERTMANAGER_CONFIG: './deploy/monitoring/alertmanager.yml',
  };
  const services = await run('docker', ['compose', 'config', '--services'], { env });
  check(/grafana/.test(services), 'monitoring’s files are of one mind with the stack');
}
