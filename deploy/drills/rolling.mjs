// Replaces three API replicas, one after the other, under load. No request may fail.
import { randomUUID } from 'node:crypto';
import { check, createStack } from './stack.mjs';
import { tally } from './trickle.mjs';

const CLIENTS = 12;

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
    const load = startLoad(stack.url);
    await stack.script('rolling-update.sh');
    const { total, failures } = await load.stop();
    const after = await apiIds(stack);

    check(
      after.length === 3 && after.every((id) => !before.includes(id)),
      'all three API containers are new ones',
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
