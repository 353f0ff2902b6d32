// Backs up off site, to a folder. The uploaded backup can be decrypted and restored, and old
// backups are deleted only after a good one. A failed backup fails loudly, deletes nothing, and
// does not count as a backup. Needs age and rclone.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check, createStack, run } from './stack.mjs';

const OLD = Array.from({ length: 9 }, (_, day) => `site-2024-01-0${day + 1}-0315.dump.tar.age`);

export async function drill() {
  const [from, to] = [await createStack('off-site'), await createStack('off-site-restore')];
  const folder = await mkdtemp(join(tmpdir(), 'off-site-drill-'));
  const [remote, key, publicKey] = ['remote', 'key', 'key.pub'].map((name) => join(folder, name));
  const backUp = (...args) => from.script('backup-off-site.sh', remote, ...args);
  const kept = async () => (await readdir(remote)).toSorted();
  const lastBackup = () => from.sql("select covers_until from tasks where name = 'backup'");
  const takenAt = async () =>
    /^backup_last_good_timestamp_seconds (.+)$/m.exec(
      await from.compose('exec', '-T', 'api', 'node', '-e', SCRAPE),
    )?.[1];
  try {
    await run('age-keygen', ['-o', key]);
    await writeFile(publicKey, await run('age-keygen', ['-y', key]));
    await mkdir(remote);
    for (const name of OLD) await writeFile(join(remote, name), 'old');
    await from.up('--wait', 'api', 'worker', 'proxy');
    const lead = { email: 'dora@drill.example', fullName: 'Dora Drill', formType: 'pre_buy' };
    const headers = { 'content-type': 'application/json' };
    await fetch(`${from.url}/api/lead/subscribe`, {
      method: 'POST',
      headers,
      body: JSON.stringify(lead),
    });
    check((await takenAt()) === '0', 'before the first backup the metric is 0');

    const fails = async (what, said, args, programs = {}) => {
      const bin = await mkdtemp(join(folder, 'bin-'));
      for (const [name, text] of Object.entries(programs)) {
        await writeFile(join(bin, name), `#!/bin/bash\nset -eu\n${text}\n`, { mode: 0o755 });
      }
      const path = from.env.PATH ?? process.env.PATH;
      from.env.PATH = `${bin}:${path}`;
      const message = await backUp(...args).then(
        () => 'ended with 0',
        (error) => error.message,
      );
      from.env.PATH = path;
      check(message.includes(said), `${what}: it fails and says "${said}"`);
      check(
        (await kept()).join() === OLD.join() && (await lastBackup()) === '',
        '    nothing is deleted or counted',
      );
    };
    await fails('without the key', 'no public key of age', [join(folder, 'nowhere.pub')]);
    // Both pass the test of the key, which has no input.
    const age = 'read -r -n 1 || exit 0; cat > /dev/null';
    await fails('age breaks off', 'This backup failed', [publicKey], { age: `${age}; exit 1` });
    await fails('age writes nothing', 'age wrote less', [publicKey], { age });
    await fails('0 bytes are uploaded', 'is not what was sent', [publicKey], {
      rclone: `[ "$1" != copyto ] || { : > "$3"; exit; }\nexec ${await run('which', ['rclone'])} "$@"`,
    });
    const docker = await run('which', ['docker']);
    await fails('the dump lacks a row', 'differs from the list', [publicKey], {
      docker: `${docker} "$@"\n[[ "$*" != *pg_restore* ]] || ${docker} "\${@:1:8}" psql -qU site -c 'delete from leads'`,
    });

    console.log(`  ${(await backUp(publicKey)).split('\n').at(-1)}`);
    const [name] = (await kept()).toReversed();
    const expected = [...OLD.slice(-6), name].join();
    check((await kept()).join() === expected, `the newest seven are kept, at any age (${name})`);
    check(
      Math.abs(Date.now() / 1_000 - Number(await takenAt())) < 600,
      'the metric is the time of this backup',
    );

    const decrypted = join(folder, 'decrypted');
    await mkdir(decrypted);
    await run('bash', [
      '-c',
      `age -d -i "$1" "$2" | tar -x -C "$3"`,
      '-',
      key,
      join(remote, name),
      decrypted,
    ]);
    const dump = join(decrypted, name.replace('.tar.age', ''));
    console.log(`  ${(await to.script('restore.sh', dump)).split('\n').at(-1)}`);
    check(
      (await to.sql('select email from leads')) === lead.email,
      'the lead is in the restored stack',
    );
    check(
      (await readFile(`${dump}.rows`, 'utf8')).includes('rows leads 1'),
      'the list of rows came with it',
    );
    check(
      (await from.sql('select email from leads')) === lead.email,
      'the stack itself keeps its lead',
    );
    check(
      (await run('docker', ['ps', '-aq', '--filter', 'name=trial-restore'])) === '',
      'no trial is left behind',
    );
  } finally {
    await rm(folder, { recursive: true });
    await from.remove();
    await to.remove();
  }
}

const SCRAPE =
  "fetch('http://127.0.0.1:8080/metrics').then((answer) => answer.text()).then(console.log)";
