import type { FaultBody } from '@site/sandbox/traffic/faults';
import { randomUUID } from 'node:crypto';

import type { Chance } from '../drills/chance.ts';
import { within } from '../drills/within.ts';
import type { Cast, Somebody } from './people.ts';
import type { Product } from './product.ts';

export type World = {
  product: Product;
  cast: Cast;
  chance: Chance;
  /** The leads by which somebody consented, or whose email an operator corrected. */
  subscribing: Set<string>;
};
/** An action of a visitor, a payer, an operator, Stripe or Beehiiv. */
type Action = (world: World) => Promise<unknown>;

const CARDS = {
  good: '4242424242424242',
  failsLater: '4000000000000341',
  disputed: '4000000000000259',
  refundFails: '4000000000005126',
};
const FORMS = ['pre_buy', 'pre_buy', 'pre_sample'] as const;
/** A person takes this long to fill in a form. */
const PERSON_MS = 9_000;
const DAY_MS = 86_400_000;

const key = () => ({ 'Idempotency-Key': randomUUID() });

async function submit(
  { product, cast, chance, subscribing }: World,
  by: Somebody = cast.any(chance),
) {
  const lead = {
    email: by.email,
    fullName: `${by.words[0]} Stone`,
    company: `${by.words[0]} Ltd`,
    formType: chance.oneOf(FORMS),
    consentMarketing: chance.oneOf([true, true, false]),
    utmSource: 'top_sub',
    // Robots are rare.
    elapsedMs: chance.oneOf([PERSON_MS, PERSON_MS, PERSON_MS, 10]),
  };
  const { body } = await product.call('POST /api/lead/subscribe', { headers: key(), body: lead });
  if (body?.id !== undefined && lead.consentMarketing && lead.elapsedMs === PERSON_MS)
    subscribing.add(body.id);
  return body?.id;
}

/** Opens a checkout, and pays unless it is abandoned. Sometimes somebody else pays for a lead. */
async function checkOut(world: World, card: keyof typeof CARDS): Promise<void> {
  const { product, cast, chance } = world;
  const by = cast.any(chance);
  const leadId = await submit(world, by);
  const payer = chance.whole(1, 6) === 1 ? cast.any(chance) : by;
  const { status, body } = await product.call('POST /api/checkout/session', {
    headers: key(),
    body: { email: by.email, leadId },
  });
  if (status !== 200 || chance.whole(1, 6) === 1) return;
  const [session] = /cs_[a-zA-Z0-9_]+/.exec(body.url) ?? [''];
  // Somebody else may pay, and then is the payer.
  product.sandbox.stripe.completeCheckout(session, {
    email: payer.email,
    name: `${payer.words[0]} Stone`,
    cardNumber: CARDS[card],
  });
}

/** An operator makes a payment link, which is sometimes used. */
async function sendPaymentLink({ product, cast, chance }: World): Promise<void> {
  const { email, words } = cast.any(chance);
  const { status, body } = await product.call('POST /api/admin/people/payment-link', {
    headers: key(),
    body: { email, plan: 'monthly' },
  });
  if (status !== 200 || chance.whole(1, 3) === 1) return;
  const [session] = /cs_[a-zA-Z0-9_]+/.exec(body.url) ?? [''];
  product.sandbox.stripe.completeCheckout(session, { email, name: `${words[0]} Stone` });
}

/** Returns the current state at Stripe of a subscription of the history's people. */
function anySubscription({ product, cast, chance }: World, statuses: readonly string[]) {
  const emails = new Set(cast.all().map(({ email }) => email));
  const { subscriptions, customers } = product.sandbox.stripe;
  const theirs = subscriptions
    .newestFirst()
    .filter(
      ({ status, customer }) =>
        statuses.includes(status) && emails.has(customers.find(customer)?.email ?? ''),
    );
  return theirs.length === 0 ? null : chance.oneOf(theirs);
}
const LIVE = ['trialing', 'active', 'past_due'];

async function findPerson({ product }: World, { email }: Somebody) {
  const { body } = await product.call('POST /api/admin/people/search', { body: { text: email } });
  return body.people.find((person) => person.email.toLowerCase() === email);
}

/** Lists the former emails that somebody had before a correction. */
const formerEmails = ({ cast }: World, { words }: Somebody) =>
  cast.former().filter((former) => former.words.every((word) => words.includes(word)));

/** Sometimes waits until a former email is unsubscribed. Otherwise its next owner is faster. */
async function waitForUnsubscription({ product, chance }: World): Promise<void> {
  if (chance.oneOf([true, false])) return;
  const open = () => product.db('removal_requests').where({ kind: 'unsubscribe', doneAt: null });
  await within(30_000, 'former emails are unsubscribed', async () => (await open()).length === 0);
}

/** Somebody else submits a form with a former email. */
async function reuseEmail(world: World): Promise<void> {
  const { cast, chance } = world;
  const former = cast.former();
  if (former.length === 0) return;
  await waitForUnsubscription(world);
  await submit(world, cast.reuse(chance.oneOf(former)));
}

async function correct(world: World): Promise<void> {
  const { product, cast, chance } = world;
  const mistyped = cast.any(chance);
  const other = chance.whole(1, 6) === 1 ? cast.any(chance) : cast.stranger();
  const subscription = chance.whole(1, 3) === 1 ? anySubscriptionOf(world, mistyped) : null;
  const leadId = (await findPerson(world, mistyped))?.leadIds[0];
  if (subscription === null) {
    if (leadId !== undefined) await correctLead(world, leadId, mistyped, other);
    return;
  }
  const { status } = await product.call('POST /api/admin/subscriptions/:id/email', {
    params: { id: subscription },
    headers: key(),
    body: { email: other.email },
  });
  if (status < 300) await move(world, mistyped, other);
}

async function correctLead(
  world: World,
  id: string,
  mistyped: Somebody,
  other: Somebody,
): Promise<void> {
  const { status } = await world.product.call('POST /api/admin/leads/:id/correct', {
    params: { id },
    body: { email: other.email },
  });
  if (status >= 300 || other === mistyped) return;
  world.subscribing.add(id);
  await move(world, mistyped, other);
}

async function move(world: World, mistyped: Somebody, other: Somebody): Promise<void> {
  if (other === mistyped) return;
  // Found by the mistyped email, unless somebody else's lead or payment keeps it.
  const hasStayed = (await findPerson(world, mistyped)) !== undefined;
  world.cast.move(mistyped, other, hasStayed ? [] : mistyped.words);
}

/** The operator's own correction was the typo. Corrects a lead that had the former email. */
async function correctBack(world: World): Promise<void> {
  const { product, cast, chance } = world;
  const moved = cast.all().filter((one) => formerEmails(world, one).length > 0);
  if (moved.length === 0) return;
  const mistyped = chance.oneOf(moved);
  await waitForUnsubscription(world);
  // Somebody may use it by now.
  const former = formerEmails(world, mistyped);
  if (former.length === 0) return;
  const other = chance.oneOf(former);
  const { rows } = await product.db.raw(
    `select leads.id from leads join former_emails former on lead_id = leads.id
     where leads.email_normalised = ? and former.email_normalised = ?
     order by leads.id limit 1`,
    [mistyped.email, other.email],
  );
  if (rows.length > 0) await correctLead(world, rows[0].id, mistyped, other);
}

function anySubscriptionOf({ product }: World, { email }: Somebody): string | null {
  const { subscriptions, customers } = product.sandbox.stripe;
  const theirs = subscriptions
    .newestFirst()
    .find(({ customer }) => customers.find(customer)?.email === email);
  return theirs?.id ?? null;
}

async function giveAccess(world: World): Promise<void> {
  const { product, cast, chance } = world;
  const { email, words } = cast.any(chance);
  const withSubscription = anySubscription(world, [...LIVE, 'canceled'])?.id;
  const days = chance.oneOf([10, 10, -1]);
  const access =
    chance.whole(1, 3) === 1 && withSubscription !== undefined
      ? { withSubscription }
      : { until: new Date(Date.now() + days * DAY_MS).toISOString() };
  await product.call('POST /api/admin/people/free-access', {
    headers: key(),
    body: { email, ...access, name: `${words[0]} Guest`, reason: `${words[0]} reviews us` },
  });
}

async function erase({ product, cast, chance }: World): Promise<void> {
  const somebody = cast.any(chance);
  const { status } = await product.call('POST /api/admin/people/erase', {
    body: { email: somebody.email },
  });
  if (status === 202) cast.erase(somebody);
}

async function retryAll({ product, chance }: World): Promise<void> {
  const { status, body } = await product.call('POST /api/admin/leads/retry', {
    body: { filter: {}, withQuarantined: chance.oneOf([true, false]) },
  });
  if (status === 202 && 'id' in body && chance.oneOf([true, false]))
    await product.call('POST /api/admin/bulk-retries/:id/stop', { params: { id: body.id } });
}

async function refund(world: World): Promise<void> {
  const found = anySubscription(world, [...LIVE, 'canceled']);
  if (found === null) return;
  await world.product.call('POST /api/admin/subscriptions/:id/refund', {
    params: { id: found.id },
    headers: key(),
    body: world.chance.oneOf([{}, { amountPence: 1_000 }]),
  });
}

async function decideDispute({ product, chance }: World): Promise<void> {
  const { disputes } = product.sandbox.stripe;
  const open = disputes.snapshot().filter(({ status }) => !['won', 'lost'].includes(status));
  if (open.length === 0) return;
  const { id } = chance.oneOf(open);
  if (chance.oneOf([true, false])) await product.stripe(`disputes/${id}/close`);
  else
    await product.stripe(`disputes/${id}`, {
      'evidence[uncategorized_text]': 'winning_evidence',
      submit: 'true',
    });
}

/** Sets a fault for the next requests only, so that a history settles. */
const fail =
  (fault: FaultBody) =>
  ({ product }: World) =>
    Promise.resolve(product.sandbox.setFault(fault));

const passTime =
  (days: number): Action =>
  ({ product, chance }) => {
    product.sandbox.stripe.setWebhookDisorder({
      shuffle: chance.oneOf([true, false]),
      duplicate: chance.oneOf([true, false]),
    });
    return Promise.resolve(product.sandbox.stripe.advance({ days }));
  };

const onSubscription =
  (name: 'cancel' | 'resume', body?: object): Action =>
  async (world) => {
    const found = anySubscription(world, LIVE);
    if (found === null) return;
    await world.product.call(`POST /api/admin/subscriptions/:id/${name}`, {
      params: { id: found.id },
      headers: key(),
      body: body ?? {},
    });
  };

/** Every action, with its weight. */
const ACTIONS: Record<string, [weight: number, action: Action]> = {
  'submit a lead': [6, (world) => submit(world)],
  'check out': [6, (world) => checkOut(world, 'good')],
  'check out with a card that fails later': [2, (world) => checkOut(world, 'failsLater')],
  'check out with a card that is disputed': [2, (world) => checkOut(world, 'disputed')],
  'check out with a card that refuses refunds': [2, (world) => checkOut(world, 'refundFails')],
  'pass a day': [2, passTime(1)],
  'pass a trial': [3, passTime(8)],
  'pass a month': [1, passTime(31)],
  'send a payment link': [2, sendPaymentLink],
  'refund a payment': [3, refund],
  'decide a dispute': [3, decideDispute],
  'cancel now': [3, onSubscription('cancel', { when: 'now' })],
  'cancel at the period’s end': [2, onSubscription('cancel', { when: 'period-end' })],
  'undo a cancellation': [1, onSubscription('resume')],
  'correct an email': [6, (world) => correct(world)],
  'correct an email back': [3, correctBack],
  'use a former email': [3, reuseEmail],
  'give free access': [4, giveAccess],
  'erase somebody': [5, erase],
  'retry all that failed': [2, retryAll],
  'delete what looks automated': [
    1,
    ({ product }) =>
      product.call('POST /api/admin/leads/delete-quarantined', { body: { filter: {} } }),
  ],
  compare: [1, ({ product }) => product.call('POST /api/admin/differences/compare')],
  'let Beehiiv refuse': [2, fail({ target: 'beehiiv', mode: 'status', status: 400, times: 1 })],
  'let Beehiiv fail': [2, fail({ target: 'beehiiv', mode: 'status', status: 500, times: 2 })],
  'let Stripe fail': [2, fail({ target: 'stripe', mode: 'status', status: 500, times: 2 })],
};

const TOTAL = Object.values(ACTIONS).reduce((sum, [weight]) => sum + weight, 0);

/** Chooses an action by its weight. */
export function chooseAction(chance: Chance): { name: string; act: Action } {
  let left = chance.whole(1, TOTAL);
  for (const [name, [weight, act]] of Object.entries(ACTIONS)) {
    left -= weight;
    if (left <= 0) return { name, act };
  }
  throw new Error('No action has this weight');
}
