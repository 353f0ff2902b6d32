import { setTimeout as sleep } from 'node:timers/promises';

import { createChance } from '../drills/chance.ts';
import { within } from '../drills/within.ts';
import { chooseAction } from './actions.ts';
import type { World } from './actions.ts';
import {
  closeMonth,
  countStored,
  findDisagreements,
  findErased,
  findLeftBehind,
  findLostRaces,
  findMisjudged,
  findPayersWithoutLead,
  findUnsubscribed,
  findWrongAttention,
  findWrongCounts,
  findWrongMails,
  findWrongMonths,
} from './assertions.ts';
import { createCast } from './people.ts';
import type { Product } from './product.ts';
import { readWhole } from './views.ts';

const STEPS = 40;
/** After this many steps, the views of everybody are read too. */
const WHOLE_EVERY = 10;
/**
 * Views are read one after the other while the worker continues, so they may differ for a moment.
 */
const REST_MS = 15_000;
/** Longer than attention gives a new payer to arrive at Beehiiv. */
const UNDER_WAY_SECONDS = 16 * 60;
const AT_ONCE = 8;

export type History = {
  seed: number;
  /** Unique among the histories of a database. */
  name: string;
  /** The figures of ended months, by month. The histories of a database share it. */
  closed: Map<string, string>;
  /** Waits two minutes for the owner's mails. */
  waitsForMails?: boolean;
};
/** The broken invariants, and the actions until then. */
export type Outcome = { wrong: string[]; story: string[] };

function createWorld(
  product: Product,
  { seed, name, size }: { seed: number; name: string; size: number },
): World {
  return {
    product,
    chance: createChance(seed, name),
    cast: createCast(name, size),
    subscribing: new Set(),
  };
}

/** Plays one action after the other, and compares all views after each. */
export async function playHistory(
  product: Product,
  { seed, name, closed, waitsForMails }: History,
): Promise<Outcome> {
  const world = createWorld(product, { seed, name, size: 4 });
  const story: string[] = [];
  for (let step = 1; step <= STEPS; step += 1) {
    const wrong = await play(world, story);
    const isWhole = step % WHOLE_EVERY === 0;
    if (wrong.length === 0)
      wrong.push(...(await atRest(() => checkStep(world, isWhole ? closed : null))));
    if (wrong.length > 0) return { wrong, story };
  }
  const wrong = await checkSubscribers(world);
  wrong.push(...(await checkAttention(world)));
  if (waitsForMails) wrong.push(...(await findWrongMails(product)));
  return { wrong: [...wrong, ...(await endHistory(world))], story };
}

/** Plays eight actions at once, five times, about three people. */
export async function playAtOnce(
  product: Product,
  { seed, name }: Omit<History, 'closed'>,
): Promise<Outcome> {
  const world = createWorld(product, { seed, name, size: 3 });
  const story: string[] = [];
  for (let round = 1; round <= STEPS / AT_ONCE; round += 1) {
    const actions = Array.from({ length: AT_ONCE }, () => chooseAction(world.chance));
    story.push(`${round} ${actions.map(({ name: each }) => each).join(', ')}`);
    await Promise.all(actions.map(({ act }) => act(world)));
    await product.sandbox.stripe.webhooksSettled();
    const { wrong } = takeRefusals(world, story);
    wrong.push(
      ...(await atRest(async () => [
        ...(await findLostRaces(product)),
        ...(await findPayersWithoutLead(product)),
        ...(await findLeftBehind(product.db)),
        ...(await findMisjudged(product)),
      ])),
    );
    if (wrong.length > 0) return { wrong, story };
  }
  const unsubscribed = await checkSubscribers(world);
  if (unsubscribed.length > 0) return { wrong: unsubscribed, story };
  // A checkout may be completed after an erasure, so everybody is erased again.
  await endSubscriptions(product);
  for (const { email } of world.cast.ever)
    await product.call('POST /api/admin/people/erase', { body: { email } });
  world.cast.gone.push(...world.cast.ever.flatMap(({ words }) => words));
  return { wrong: await endHistory(world), story };
}

async function play(world: World, story: string[]): Promise<string[]> {
  const { product, cast, chance } = world;
  const { name, act } = chooseAction(chance);
  story.push(name);
  cast.beginStep();
  const before = await countStored(product);
  await act(world);
  await product.sandbox.stripe.webhooksSettled();
  await untilJudged(product);
  const { wrong, isRefused } = takeRefusals(world, story);
  const after = await countStored(product);
  // Checking out begins with a lead, which stays.
  if (isRefused && !name.startsWith('check out') && before !== after)
    wrong.push(`“${name}” was refused, but stored: ${before} became ${after}`);
  return wrong;
}

/** Waits for the sweep that judges the people of new leads, which runs four times a second. */
async function untilJudged({ db }: Product): Promise<void> {
  await within(10_000, 'everybody is judged', async () => {
    const { rows } = await db.raw(
      `select from leads where not exists (
         select from people
         where people.email_normalised = leads.email_normalised and seen_at >= submitted_at
       ) limit 1`,
    );
    return rows.length === 0;
  });
}

/** Returns whether a call was refused, and the answers that report a failure of ours. */
function takeRefusals({ product }: World, story: string[]) {
  const refused = product.takeRefusals();
  story.push(...product.takeStory());
  const wrong = refused
    .filter(({ status, text }) => status >= 500 && !text.includes('stripe-unavailable'))
    .map(({ name, status, text }) => `${name} was answered with ${status} ${text}`);
  if (wrong.length > 0)
    wrong.push(...product.apiLog().filter((line) => line.includes('"level":50')));
  return { wrong, isRefused: refused.length > 0 };
}

/** Compares the views of the touched people, or of everybody. */
async function checkStep(
  { product, cast }: World,
  closed: Map<string, string> | null,
): Promise<string[]> {
  const people = closed === null ? cast.touched() : cast.all();
  const whole = closed === null ? null : await readWhole(product);
  const emails = people.map(({ email }) => email);
  const wrong = [
    ...(await findDisagreements(product, emails, whole?.tabs ?? null)),
    ...(await findLostRaces(product)),
  ];
  if (closed === null || whole === null) return wrong;
  await closeMonth(product);
  return [
    ...wrong,
    ...findWrongCounts(whole),
    ...(await findWrongMonths(product, closed)),
    ...(await findPayersWithoutLead(product)),
    ...(await findLeftBehind(product.db)),
    ...(await atRest(() => findMisjudged(product))),
  ];
}

/** Waits until Beehiiv works and nothing is in progress. Then looks for who is not subscribed. */
async function checkSubscribers({ product, cast, subscribing }: World): Promise<string[]> {
  endFaults(product);
  await product.settle();
  const emails = cast.ever.map(({ email }) => email);
  return atRest(() => findUnsubscribed(product, { emails, subscribing }));
}

/**
 * Runs a comparison once Beehiiv works, nothing is in progress, and some readers were changed
 * there. Then reads attention.
 */
async function checkAttention({ product, cast, chance }: World): Promise<string[]> {
  endFaults(product);
  await product.settle();
  await product.passTime(UNDER_WAY_SECONDS);
  // A change that we hear nothing of. Only the comparison finds it.
  for (const { email } of cast.all())
    if (chance.oneOf([true, false]))
      await product.beehiivChanges(
        email,
        chance.oneOf([{ tier: 'free' } as const, { unsubscribe: true } as const]),
      );
  const { rows } = await product.db.raw('select sync_now() as now');
  let before = (await product.call('GET /api/admin/differences')).body.comparedAt;
  await product.call('POST /api/admin/differences/compare');
  await within(30_000, 'the newsletter is compared', async () => {
    await sleep(500);
    const { comparedAt } = (await product.call('GET /api/admin/differences')).body;
    if (comparedAt !== null && new Date(comparedAt) > rows[0].now) return true;
    // A comparison in progress does not see the changes.
    if (comparedAt !== before) await product.call('POST /api/admin/differences/compare');
    before = comparedAt;
    return false;
  });
  // A tier set moments ago counts as under way, whatever Beehiiv answers.
  await product.passTime(UNDER_WAY_SECONDS);
  return atRest(async () => [
    ...(await findWrongAttention(product)),
    ...(await findMisjudged(product)),
  ]);
}

/** Ends all subscriptions, and waits until Beehiiv has deleted every erased person. */
async function endHistory({ product, cast }: World): Promise<string[]> {
  const { db } = product;
  await endSubscriptions(product);
  await within(60_000, 'everybody erased is deleted at Beehiiv', async () => {
    const { rows } = await db.raw(
      `select from removal_requests where kind = 'erasure' and done_at is null limit 1`,
    );
    if (rows.length === 0) return true;
    // An erasure asks Beehiiv again after an hour, in a task that runs every two seconds.
    await product.passTime(1_800);
    await sleep(500);
    return false;
  });
  return atRest(() => findErased(db, cast.gone));
}

async function endSubscriptions(product: Product): Promise<void> {
  const { sandbox } = product;
  endFaults(product);
  for (const { id, status } of sandbox.stripe.subscriptions.snapshot())
    if (!['canceled', 'incomplete_expired'].includes(status))
      await product.stripe(`subscriptions/${id}`, undefined, 'DELETE');
  await sandbox.stripe.webhooksSettled();
}

function endFaults({ sandbox }: Product): void {
  sandbox.setFault({ target: 'beehiiv', mode: 'ok' });
  sandbox.setFault({ target: 'stripe', mode: 'ok' });
}

/** Checks for a few seconds until nothing is wrong. Returns the remaining failures. */
async function atRest(look: () => Promise<string[]>): Promise<string[]> {
  const deadline = performance.now() + REST_MS;
  for (;;) {
    const wrong = await look();
    if (wrong.length === 0 || performance.now() > deadline) return wrong;
    await sleep(50);
  }
}
