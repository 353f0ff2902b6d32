// Updates to a copy of this build with another column and a changed view, goes back, and forward
// again, while leads arrive and a console is open. Only a replaced proxy refuses any, for a second.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { check, createStack, logIn, ROOT, run } from './stack.mjs';
import { startTrickle, tally } from './trickle.mjs';

const PARTS = ['api', 'worker', 'proxy', 'sandbox'];
const LONGEST_GAP_MS = 2_000;
const VIEWS = readFileSync(join(ROOT, 'packages/platform/src/database/schema/views.sql'), 'utf8');
const withView = (columns) => ({
  'views.sql': `${VIEWS}create view drill as select ${columns} from leads;`,
});
const EARLIER = withView('id, email');
const LATER = {
  ...withView('mood, id'),
  '9999_mood.sql': `alter table leads add mood text default 'calm',
  add constraint leads_mood_check check (mood = 'calm') not valid;`,
};

export async function drill() {
  const stack = await createStack('upgrade');
  const project = stack.env.COMPOSE_PROJECT_NAME;
  const [earlier, later] = [`${project}-earlier`, `${project}-later`];
  const images = [...(await build(earlier, EARLIER)), ...(await build(later, LATER))];
  stack.env.RELEASE = earlier;
  try {
    await stack.up('--wait', '--scale', 'api=2', '--scale', 'worker=2', ...PARTS);
    const cookie = await logIn(stack.url, await stack.login());
    const watched = watchConsole(stack.url, cookie);
    const trickle = startTrickle(stack.url, { perSecond: 20 });
    for (const release of [later, earlier, later]) {
      stack.env.RELEASE = release;
      const started = Date.now();
      await stack.script('rolling-update.sh');
      const gap = longestGap(trickle.ledger.answeredAt.filter((at) => at >= started));
      check(gap <= LONGEST_GAP_MS, `the longest time without an answered lead was ${gap} ms`);
      const columns = await stack.sql(
        `select string_agg(column_name, ', ' order by ordinal_position) from information_schema.columns
         where table_name = 'drill'`,
      );
      check(
        columns === (release === later ? 'mood, id' : 'id, email'),
        `updated to ${release}, whose view has ${columns}`,
      );
    }
    const held = await ids(stack);
    await stack.up('--scale', 'api=2', '--scale', 'worker=2', ...PARTS);
    check(String(await ids(stack)) === String(held), 'a plain "up -d" then replaces nothing');
    const { accepted, failures } = await trickle.stop();
    watched.stop();
    check(
      failures.length <= 3 * 20 * (LONGEST_GAP_MS / 1_000),
      `${accepted.length} leads were answered, the others in a proxy’s second (${tally(failures)})`,
    );
    await stack.untilDelivered();

    const [sent, once] = (
      await stack.sql(
        `select count(*) filter (where beehiiv_status = 'sent'), count(distinct email_normalised) from leads
         where id in ('${accepted.join("','")}')`,
      )
    ).split('|');
    check(
      Number(sent) === accepted.length && sent === once,
      `all ${sent} of them are sent, each email once`,
    );
  } finally {
    await stack.remove();
    await run('docker', ['rmi', '--force', ...images]);
  }
}

/** Lists the stack's containers. The sandbox is no part of a release. */
const ids = async (stack) =>
  (await stack.containers())
    .filter(({ service }) => service !== 'sandbox')
    .map(({ id }) => id)
    .sort();

/** Returns the milliseconds of the longest gap between two times. */
const longestGap = (times) =>
  Math.max(...times.toSorted((a, b) => a - b).map((at, n, all) => at - (all[n - 1] ?? at)));

/** Holds the events of the console open, as a browser does. */
function watchConsole(url, cookie) {
  const stop = new AbortController();
  void (async () => {
    while (!stop.signal.aborted) {
      await fetch(`${url}/api/admin/events`, { headers: { cookie }, signal: stop.signal })
        .then((answer) => answer.text())
        .catch(() => delay(200));
    }
  })();
  return { stop: () => stop.abort() };
}

/** Builds a release from this build's images, with these files in the schema of API and worker. */
async function build(release, files) {
  const built = [];
  for (const part of PARTS) {
    const imageOf = (name) => `${process.env.IMAGE_PREFIX ?? 'site'}/${part}:${name}`;
    const copies = Object.entries(part === 'api' || part === 'worker' ? files : {}).map(
      ([file, sql]) => `COPY <<'SQL' services/${part}/dist/schema/${file}\n${sql}\nSQL\n`,
    );
    const input = [`FROM ${imageOf(process.env.RELEASE ?? 'local')}\n`, ...copies].join('');
    await run('docker', ['build', '-t', imageOf(release), '-'], { input });
    built.push(imageOf(release));
  }
  return built;
}
