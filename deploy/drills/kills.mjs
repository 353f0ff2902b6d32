// Kills and restarts every container once while leads arrive. No accepted lead may be lost.
import { setTimeout as delay } from 'node:timers/promises';
import { check, createStack, run } from './stack.mjs';
import { startTrickle, tally } from './trickle.mjs';

const AWAY_MS = 3_000;

export async function drill() {
  const stack = await createStack('kills');
  try {
    await stack.up('--scale', 'api=2', '--scale', 'worker=2');
    const trickle = startTrickle(stack.url, { perSecond: 10 });
    await delay(2_000);
    for (const { id, name } of await stack.containers()) {
      const before = trickle.ledger.failures.length;
      await run('docker', ['kill', id]);
      await delay(AWAY_MS);
      await run('docker', ['start', id]);
      await stack.untilHealthy(id);
      await delay(1_000);
      console.log(
        `  killed ${name}: visitors were refused: ${tally(trickle.ledger.failures.slice(before))}`,
      );
    }
    const { accepted, failures } = await trickle.stop();
    await stack.untilDelivered();

    const states = await stack.sql(
      `select beehiiv_status, count(*) from leads where id = any ('{${accepted.join(',')}}') group by 1`,
    );
    check(
      states === `sent|${accepted.length}`,
      `all ${accepted.length} leads that were answered are stored and sent (${states})`,
    );
    const others = await stack.sql(
      `select count(*) from leads where id <> all ('{${accepted.join(',')}}')`,
    );
    console.log(
      `  ${failures.length} requests failed; ${others} of those leads had been stored all the same, and are sent too`,
    );
    const all = await stack.sql(
      `select count(*) filter (where beehiiv_status = 'sent'), count(*) from leads`,
    );
    check(new Set(all.split('|')).size === 1, `every stored lead is sent (${all})`);
    const repeats = await stack.sql(`select count(*) from lead_sync_attempts where number > 1`);
    console.log(`  ${repeats} repeated attempts`);
  } finally {
    await stack.remove();
  }
}
