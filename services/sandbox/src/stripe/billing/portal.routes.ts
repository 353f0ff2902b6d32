import { Router, urlencoded } from 'express';
import { z } from 'zod';
import { formatPence } from '@site/schema/offer';
import type { Html } from '../../html.ts';
import { formatDate, html, page } from '../../html.ts';
import type { Price } from '../catalog.ts';
import { productName } from '../catalog.ts';
import type { BillingDeps } from './billing.store.ts';
import { updateSubscription } from './subscription.service.ts';
import type { Subscription } from './subscription.ts';

const CSS = `
body { font: 16px/1.5 system-ui, sans-serif; color: #1a1f36; max-width: 640px; margin: 48px auto; padding: 0 20px; }
label { display: block; margin-bottom: 12px; }
input { display: block; width: 100%; box-sizing: border-box; font: inherit; padding: 10px 12px; margin-top: 4px; border: 1px solid #d5dbe3; border-radius: 6px; }
button { font: inherit; font-weight: 600; padding: 10px 16px; border: 1px solid #1a1f36; border-radius: 6px; background: #fff; cursor: pointer; }
article { border-top: 1px solid #d5dbe3; padding: 16px 0; }
`;

const field = z.string().trim().max(300).catch('');
const portalForm = z.object({
  email: field,
  subscription: field,
  action: z.enum(['cancel', 'resume', 'switch']).optional().catch(undefined),
  price: field,
});

/** Serves the customer portal at `/p/login`. Stripe's own first sends a sign-in link by email. */
export function portalRoutes(deps: BillingDeps): Router {
  const router = Router();

  router.get('/', (_req, res) => {
    res.type('html').send(portalPage(deps, null));
  });

  router.post('/', urlencoded({ extended: false }), (req, res) => {
    const { email, subscription: id, action, price } = portalForm.parse(req.body ?? {});
    const subscription = subscriptionsOf(deps, email).find((candidate) => candidate.id === id);
    if (subscription && action === 'switch') switchPrice(deps, subscription, price);
    else if (subscription && action) {
      updateSubscription(deps, subscription, { cancel_at_period_end: action === 'cancel' });
    }
    res.type('html').send(portalPage(deps, email));
  });

  return router;
}

/** Shows one customer, like Stripe: the newest with the email and an active subscription. */
function subscriptionsOf({ store }: BillingDeps, email: string): Subscription[] {
  const wanted = email.toLowerCase();
  const theirs = store.subscriptions
    .newestFirst()
    .filter(({ customer }) => store.customers.find(customer)?.email?.toLowerCase() === wanted)
    .filter(({ status }) => status !== 'canceled');
  return theirs.filter(({ customer }) => customer === theirs[0]?.customer);
}

/** Lists the prices that the portal's newest configuration lets a subscription change to. */
function switchesOf({ store }: BillingDeps, { items }: Subscription): Price[] {
  const portal = store.portals.newestFirst().find(({ configuration }) => configuration.active);
  const item = items.data[0];
  if (!item || portal?.configuration.features.subscription_update.enabled !== true) return [];
  const { prices = [] } =
    portal.products.find(({ product }) => product === item.price.product) ?? {};
  return prices.filter((id) => id !== item.price.id).map((id) => store.prices.get(id));
}

function switchPrice(deps: BillingDeps, subscription: Subscription, wanted: string): void {
  const price = switchesOf(deps, subscription).find(({ id }) => id === wanted);
  const item = subscription.items.data[0];
  if (price && item)
    updateSubscription(deps, subscription, { items: [{ id: item.id, price: price.id }] });
}

function portalPage(deps: BillingDeps, email: string | null): string {
  const subscriptions = email === null ? [] : subscriptionsOf(deps, email);
  const body = html`<h1>Manage your subscription</h1>
    <p>Stripe first sends a link to this address. The sandbox opens it at once.</p>
    <form method="post">
      <label>Email <input name="email" type="email" autocomplete="email" value="${email}" /></label>
      <button type="submit">Show my subscriptions</button>
    </form>
    ${email !== null && subscriptions.length === 0 && html`<p>No active subscription for this email address.</p>`}
    ${subscriptions.map((subscription) => subscriptionArticle(deps, subscription, email ?? ''))}`;
  return page('Manage your subscription', CSS, body);
}

function subscriptionArticle(deps: BillingDeps, subscription: Subscription, email: string): Html {
  const item = subscription.items.data[0];
  const isEnding = subscription.cancel_at !== null;
  const until = formatDate(item?.current_period_end ?? 0);
  return html`<article>
    <h2>${item && productName(deps.store, item.price.product)}</h2>
    <p>
      ${item && formatPence(item.price.unit_amount, true)} per ${item?.price.recurring?.interval}.
      Status: ${subscription.status.replace('_', ' ')}.
      ${isEnding ? `Cancels on ${until}.` : `Renews on ${until}.`}
    </p>
    <form method="post">
      <input type="hidden" name="email" value="${email}" />
      <input type="hidden" name="subscription" value="${subscription.id}" />
      <input type="hidden" name="action" value="${isEnding ? 'resume' : 'cancel'}" />
      <button type="submit">${isEnding ? 'Keep my subscription' : 'Cancel at period end'}</button>
    </form>
    ${switchesOf(deps, subscription).map(
      (price) =>
        html`<form method="post">
          <input type="hidden" name="email" value="${email}" />
          <input type="hidden" name="subscription" value="${subscription.id}" />
          <input type="hidden" name="action" value="switch" />
          <input type="hidden" name="price" value="${price.id}" />
          <button type="submit">
            Switch to ${formatPence(price.unit_amount, true)} per ${price.recurring?.interval}
          </button>
        </form>`,
    )}
  </article>`;
}
