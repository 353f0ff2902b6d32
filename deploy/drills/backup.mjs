// Restores a dump, taken while leads arrived, into an empty stack. Counts and statuses match the
// dump, the counters are right, and pending leads are delivered.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { check, createStack } from './stack.mjs';
import { startTrickle } from './trickle.mjs';

const BY_STATUS =
  'select form_type, beehiiv_status, count(*) from leads group by 1, 2 order by 1, 2';
const BY_COUNTER =
  'select form_type, beehiiv_status, sum(leads) from lead_counts group by 1, 2 having sum(leads) <> 0 order by 1, 2';

export async function drill() {
  const [from, to] = [await createStack('backup'), await createStack('restore')];
  const folder = await mkdtemp(join(tmpdir(), 'backup-drill-'));
  const file = join(folder, 'site.dump');
  try {
    await from.up();
    const trickle = startTrickle(from.url, { perSecond: 20 });
    await delay(5_000);
    await from.compose('stop', 'worker');
    await delay(2_000);
    console.log(`  ${await from.script('backup.sh', file)}`);
    const { accepted } = await trickle.stop();
    const rows = await readFile(`${file}.rows`, 'utf8');
    const dumped = Number(/^rows leads (\d+)$/m.exec(rows)?.[1]);
    const waiting = Number(/^rows leads\/pre_buy\/pending (\d+)$/m.exec(rows)?.[1]);
    check(
      dumped > 0 && dumped < accepted.length,
      `leads came in during the dump (${dumped} in it, ${accepted.length} at the end)`,
    );
    check(waiting > 0, `${waiting} of the dumped leads wait for delivery`);

    console.log(`  ${(await to.script('restore.sh', file)).split('\n').at(-1)}`);
    check(
      (await to.sql(BY_STATUS)) === (await to.sql(BY_COUNTER)),
      'the counters agree with the leads',
    );
    await to.script('restore.sh', file).then(
      () => check(false, 'a second restore is refused'),
      (error) => check(error.message.includes('not empty'), 'a second restore is refused'),
    );
    await to.up();
    await to.untilDelivered();
    const sent = await to.sql(BY_STATUS);
    check(
      sent === `pre_buy|sent|${dumped}`,
      `the restored stack delivers the pending leads (${sent})`,
    );
    check(sent === (await to.sql(BY_COUNTER)), 'the counters still agree');
    const login = await to.sql('select count(*) from users');
    check(login === '1', 'the operator is the one in the dump, and no second one was created');
  } finally {
    await rm(folder, { recursive: true });
    await from.remove();
    await to.remove();
  }
}
