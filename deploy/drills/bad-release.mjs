// Updates to a release whose workers end at once, and to a release that does not exist. Both
// updates fail, and the first prints the command that rolls it back. Images are looked for only on
// this machine.
import { check, createStack, run } from './stack.mjs';

export async function drill() {
  const stack = await createStack('bad-release');
  const good = process.env.RELEASE ?? 'local';
  const bad = `${stack.env.COMPOSE_PROJECT_NAME}-bad`;
  const imageOf = (part, release) => `${process.env.IMAGE_PREFIX ?? 'site'}/${part}:${release}`;
  const update = async (release) => {
    stack.env.RELEASE = release;
    return stack.script('rolling-update.sh').then(
      () => 'Done',
      (error) => error.message,
    );
  };
  try {
    await stack.up('--wait', '--scale', 'worker=2', 'api', 'worker', 'proxy');
    await run('docker', ['tag', imageOf('api', good), imageOf('api', bad)]);
    const dockerfile = `FROM ${imageOf('worker', good)}\nCMD ["node", "-e", "process.exit(1)"]\n`;
    await run('docker', ['build', '-t', imageOf('worker', bad), '-'], { input: dockerfile });

    const mistyped = await update('no-such-release');
    check(
      mistyped.includes('No such image'),
      'a release that does not exist is not looked for elsewhere',
    );
    check((await fetch(stack.url)).ok, 'the site answers as before');

    const failure = await update(bad);
    const [rollBack] = /RELEASE=\S+ \S+$/m.exec(failure.trim()) ?? [];
    check(
      rollBack !== undefined,
      `the update fails if the workers crash, and prints how to roll back: ${rollBack}`,
    );
    check((await fetch(stack.url)).ok, 'the site answers meanwhile');

    console.log(`  ${await run('bash', ['-c', rollBack], { env: stack.env })}`);
    const running = (await stack.containers()).filter(({ service }) => service === 'worker');
    for (const { id } of running) await stack.untilHealthy(id);
    check(running.length === 2, 'the same number of workers runs as before, and they are healthy');
  } finally {
    stack.env.RELEASE = good;
    await stack.remove();
    await run('docker', ['rmi', '--force', imageOf('api', bad), imageOf('worker', bad)]);
  }
}
