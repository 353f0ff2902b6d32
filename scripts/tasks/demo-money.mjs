// The money of npm run demo: a year of trials, payers, a refund, a dispute and abandoned checkouts,
// lived through on the sandbox's Stripe clock, which ends where it was.
import { Failure } from '../failure.mjs';

const DAYS = 365;
const PLANS = ['monthly', 'monthly', 'monthly15', 'annual25'];
const REASONS = ['too_expensive', 'unused', 'switched_service'];
const CARDS = {
  pays: '4242424242424242',
  isDisputed: '4000000000000259',
  fails: '4000000000000341',
};

/**
 * Returns a function that posts a form to the sandbox, or gets without one, and returns the answer.
 */
export function sandboxClient(sandboxUrl, signal) {
  return async (path, form, headers = {}) => {
    const request = {
      method: form ? 'POST' : 'GET',
      body: form && new URLSearchParams(form),
      redirect: 'manual',
      signal,
    };
    const url = new URL(path, sandboxUrl);
    const answer = await fetch(url, {
      ...request,
      headers: { Accept: 'application/json', ...headers },
    }).catch(() => undefined);
    if (answer && answer.status < 400) return answer;
    throw new Failure(
      `The sandbox at ${sandboxUrl} did not do ${url.pathname}: ${answer?.status ?? 'no answer'}.`,
    );
  };
}

/**
 * Lets the leads open checkouts at a growing rate, and most of them pay. Calls `draw` with the
 * number before each.
 */
export async function liveThroughYear({ sandboxUrl, secretKey, leads, draw, signal }) {
  const send = sandboxClient(sandboxUrl, signal);
  const stripe = async (path, form) =>
    (await send(`/v1/${path}`, form, { Authorization: `Bearer ${secretKey}` })).json();
  let passed = 0;
  const waitUntil = async (day) => {
    if (day > passed) await send('/_control/clock', { days: day - passed });
    passed = Math.max(passed, day);
  };
  const last = leads.length - 1;
  // The first payment, after a week's trial, is disputed within the week to answer it, or is being
  // tried again.
  const cardOf = (ago) =>
    ago > 21 || ago < 8 ? CARDS.pays : ago < 14 ? CARDS.isDisputed : CARDS.fails;
  await send('/_control/clock', { backDays: DAYS });
  try {
    for (const [n, { id: leadId, email, fullName }] of leads.entries()) {
      draw(n);
      // More and more often, from a year ago to two days ago.
      const ago = 2 + Math.round((DAYS - 3) * (1 - n / Math.max(1, last)) ** 2);
      await waitUntil(DAYS - ago);
      const plan = PLANS[n % PLANS.length];
      const { data: prices } = await stripe(
        `prices?lookup_keys[]=launch_${plan.replace(/\d+$/, '')}`,
      );
      const { id, url } = await stripe('checkout/sessions', {
        mode: 'subscription',
        'line_items[0][price]': prices[0]?.id,
        'line_items[0][quantity]': 1,
        'subscription_data[trial_period_days]': 7,
        'subscription_data[metadata][lead_id]': leadId,
        client_reference_id: leadId,
        'metadata[offer_phase]': 'launch',
        'metadata[plan]': plan,
        ...(plan !== 'monthly' && { 'discounts[0][coupon]': plan }),
        customer_email: email,
        success_url: 'https://demo.example/thank-you',
        'after_expiration[recovery][enabled]': true,
      });
      // Some never pay.
      if (n % 5 === 3 && cardOf(ago) === CARDS.pays) continue;
      await send(new URL(url).pathname, { email, name: fullName, cardNumber: cardOf(ago) });
      if (n % 4 !== 2 || ago < 22) continue;
      const { subscription } = await stripe(`checkout/sessions/${id}`);
      const feedback = REASONS[n % REASONS.length];
      const leaves = { cancel_at_period_end: true, 'cancellation_details[feedback]': feedback };
      await stripe(`subscriptions/${subscription}`, leaves);
    }
    await waitUntil(DAYS - 1);
    const { data: charges } = await stripe('charges?limit=10');
    const paid = charges.find(
      ({ status, disputed, amount }) => status === 'succeeded' && !disputed && amount < 100_000,
    );
    if (paid) await stripe('refunds', { charge: paid.id, reason: 'requested_by_customer' });
  } finally {
    await waitUntil(DAYS);
  }
}
