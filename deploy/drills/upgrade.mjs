// Updates from an earlier release, goes back, and forward again, while leads arrive and Beehiiv fails. The earlier images
// must be here: git worktree add ../earlier v0.2.0 && cd ../earlier && RELEASE=0.2.0 docker compose build
import { setTimeout as delay } from 'node:timers/promises';
import { check, createStack, until } from './stack.mjs';
import { startTrickle, tally } from './trickle.mjs';

const EARLIER = process.env.EARLIER_RELEASE ?? '0.2.0';

export async function drill() {
  const later = process.env.RELEASE ?? 'local';
  const stack = await createStack('upgrade');
  stack.env.RELEASE = EARLIER;
  try {
    await stack.up(
      '--wait',
      '--scale',
      'api=2',
      '--scale',
      'worker=2',
      'api',
      'worker',
      'proxy',
      'sandbox',
    );
    const operator = await logIn(stack);
    const trickle = startTrickle(stack.url, { perSecond: 5 });
    const people = [];
    for (const release of [later, EARLIER, later]) {
      const before = stack.env.RELEASE;
      people.push(await correctWhileBeehiivFails(stack, operator, people.length));
      stack.env.RELEASE = release;
      await stack.script('rolling-update.sh');
      await failBeehiiv(stack, false);
      check(true, `from ${before} to ${release}`);
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
      `all ${sent} of them are sent, each address once`,
    );
    for (const { typo, correct } of people) await checkCorrected(stack, typo, correct);
  } finally {
    await stack.remove();
  }
}

async function logIn(stack) {
  const answer = await fetch(`${stack.url}/api/admin/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(await stack.login()),
  });
  if (!answer.ok) throw new Error(`The operator could not log in: ${answer.status}`);
  return {
    cookie: answer.headers.get('set-cookie').split(';')[0],
    'content-type': 'application/json',
  };
}

async function post(url, body, headers = { 'content-type': 'application/json' }) {
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return answer.json().catch(() => null);
}

const failBeehiiv = (stack, isFailing) =>
  post(`${stack.sandboxUrl}/_control/faults`, {
    target: 'beehiiv',
    ...(isFailing ? { mode: 'status', status: 503 } : { mode: 'ok' }),
  });

/** Leaves two corrections for the next release: of a lead that was sent, to be unsubscribed, and of one that never was. */
async function correctWhileBeehiivFails(stack, operator, round) {
  const typo = [`typo-sent-${round}@example.com`, `typo-unsent-${round}@example.com`];
  const correct = typo.map((email) => email.replace('typo', 'correct'));
  const store = (email) =>
    post(`${stack.url}/api/lead/subscribe`, { email, formType: 'pre_buy', fullName: 'Tia Typo' });
  const sent = await store(typo[0]);
  await until(`${typo[0]} is sent`, async () => {
    return (await stack.sql(`select beehiiv_status from leads where id = '${sent.id}'`)) === 'sent';
  });
  await failBeehiiv(stack, true);
  const unsent = await store(typo[1]);
  await delay(2_000);
  for (const [at, { id }] of [sent, unsent].entries()) {
    await post(`${stack.url}/api/admin/leads/${id}/correct`, { email: correct[at] }, operator);
  }
  return { typo, correct };
}

/** The mistyped addresses end unsubscribed, or were never there, and the correct ones are there. */
async function checkCorrected(stack, typo, correct) {
  const read = async (email) => {
    const { subscriptions } = await (
      await fetch(`${stack.sandboxUrl}/_control/beehiiv/subscriptions`)
    ).json();
    return subscriptions.find((one) => one.email === email)?.status ?? 'absent';
  };
  await until(`${typo[0]} is unsubscribed`, async () => (await read(typo[0])) === 'inactive');
  check(
    (await read(typo[1])) === 'absent',
    `${typo[0]} is unsubscribed, and ${typo[1]} was never sent`,
  );
  for (const email of correct)
    check((await read(email)) !== 'absent', `${email} is sent, and ${await read(email)}`);
}
