// Replaces three API replicas, one after the other, under load. No request may fail.
import { randomUUID } from 'node:crypto';
import { check, createStack, run } from './stack.mjs';
import { tally } from './trickle.mjs';

const CLIENTS = 12;
const LONGEST_STOP_MS = 2_000;

function startLoad(url) {
  const stop = new AbortController();
  const answers = { total: 0, failures: [] };
  const ask = {
    page: () => fetch(url),
    call: () => fetch(`${url}/api/checkout/session/cs_unknown`),
    lead: () =>
      fetch(`${url}/api/lead/subscribe`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: `load-${randomUUID()}@example.com`, formType: 'pre_buy' }),
      }),
    event: () =>
      fetch(`${url}/api/track`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ event: 'cta-monthly-15', page: 'sample-sent' }),
      }),
  };
  const kinds = Object.keys(ask);
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let turn = client; !stop.signal.aborted; turn += 1) {
      const kind = kinds[turn % kinds.length];
      answers.total += 1;
      try {
        const answer = await ask[kind]();
        await answer.arrayBuffer();
        // The expected answer for an unknown checkout session is 404.
        if (answer.status >= 500 || (answer.status >= 400 && kind !== 'call'))
          answers.failures.push(`${kind} ${answer.status}`);
      } catch (error) {
        answers.failures.push(`${kind} ${error.cause?.code ?? error.name}`);
      }
    }
  });
  return {
    async stop() {
      stop.abort();
      await Promise.all(clients);
      return answers;
    },
  };
}

export async function drill() {
  const stack = await createStack('rolling');
  try {
    await stack.up('--scale', 'api=3', '--scale', 'worker=3');
    const before = await apiIds(stack);
    const since = new Date().toISOString();
    const load = startLoad(stack.url);
    await stack.script('rolling-update.sh');
    const { total, failures } = await load.stop();
    const after = await apiIds(stack);

    check(
      after.length === 3 && after.every((id) => !before.includes(id)),
      'all three API containers are new ones',
    );
    const stops = await readStops(before, since);
    check(
      stops.length === before.length && stops.every((ms) => ms <= LONGEST_STOP_MS),
      `each old API container stopped within ${LONGEST_STOP_MS} ms (${stops.join(', ')})`,
    );
    check(failures.length === 0, `none of ${total} requests failed (${tally(failures)})`);
    await stack.untilDelivered();
    check(true, 'every lead of the load is delivered');
  } finally {
    await stack.remove();
  }
}

async function apiIds(stack) {
  return (await stack.containers()).filter(({ service }) => service === 'api').map(({ id }) => id);
}

/** Returns the milliseconds from each container's first signal to its end. */
async function readStops(ids, since) {
  const filters = ['event=kill', 'event=die'].flatMap((event) => ['--filter', event]);
  const span = ['--since', since, '--until', new Date().toISOString()];
  const format = ['--format', '{{.Actor.ID}} {{.Action}} {{.TimeNano}}'];
  const lines = (await run('docker', ['events', ...span, ...filters, ...format])).split('\n');
  const events = lines.map((line) => line.split(' '));
  const at = (id, action) =>
    Number(events.find(([of, what]) => of.startsWith(id) && what === action)?.[2]);
  return ids.map((id) => Math.round((at(id, 'die') - at(id, 'kill')) / 1e6));
}
