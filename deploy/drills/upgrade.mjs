// Updates to a copy of this build with another column and a changed view, goes back, and forward
// again, while leads arrive.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check, createStack, ROOT, run } from './stack.mjs';
import { startTrickle, tally } from './trickle.mjs';

const PARTS = ['api', 'worker', 'proxy', 'sandbox'];
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
    const trickle = startTrickle(stack.url, { perSecond: 5 });
    for (const release of [later, earlier, later]) {
      stack.env.RELEASE = release;
      await stack.script('rolling-update.sh');
      const columns = await stack.sql(
        `select string_agg(column_name, ', ' order by ordinal_position) from information_schema.columns
         where table_name = 'drill'`,
      );
      check(
        columns === (release === later ? 'mood, id' : 'id, email'),
        `updated to ${release}, whose view has ${columns}`,
      );
    }
    const { accepted, failures } = await trickle.stop();
    check(
      failures.length === 0,
      `none of ${accepted.length} leads was refused (${tally(failures)})`,
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
