import { formatPence } from '@site/schema/offer';
import type { Html } from '../../html.ts';
import { html, page } from '../../html.ts';
import { TEST_CARDS } from '../billing/test-cards.ts';
import type { CheckoutRecord, Session } from './checkout-session.ts';
import { hasTrial, periodPence } from './checkout-session.ts';

export type CheckoutForm = {
  email: string;
  name: string;
  cardNumber: string;
  taxId: string;
  /** The reason for the last payment's refusal. */
  refusal: { field: 'email' | 'cardNumber'; message: string } | null;
};

const CSS = `
:root { --ink: #1a1f36; --soft: #4f566b; --line: #d5dbe3; --accent: #0a5d50; --bad: #a3180d; }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: #fff; }
.notice { background: #fff3d6; border-bottom: 1px solid #e6c98a; padding: 8px 16px; font-size: 14px; text-align: center; }
main { display: grid; grid-template-columns: 1fr 1fr; min-height: calc(100vh - 38px); }
main > * { padding: 48px clamp(20px, 6vw, 88px); }
.order { background: #f6f8fa; }
h1 { font-size: 20px; font-weight: 500; margin: 24px 0 4px; color: var(--soft); }
.price { font-size: 36px; font-weight: 600; margin: 0; font-variant-numeric: tabular-nums; }
.terms { color: var(--soft); margin: 4px 0 24px; }
dl { display: grid; grid-template-columns: 1fr auto; gap: 8px 0; margin: 0; font-variant-numeric: tabular-nums; }
dt, dd { margin: 0; }
dd { text-align: right; }
.total { font-weight: 600; border-top: 1px solid var(--line); padding-top: 8px; }
a { color: var(--ink); }
label { display: block; font-size: 14px; font-weight: 500; margin-bottom: 16px; }
input { display: block; width: 100%; margin-top: 4px; font: inherit; padding: 10px 12px; border: 1px solid var(--line); border-radius: 6px; }
input:focus-visible, button:focus-visible, a:focus-visible { outline: 3px solid #7cc4b8; outline-offset: 1px; }
input[aria-invalid] { border-color: var(--bad); }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 12px; }
.error { color: var(--bad); margin: 0 0 16px; font-weight: 500; }
button { width: 100%; font: inherit; font-weight: 600; padding: 12px; border: 0; border-radius: 6px; background: var(--accent); color: #fff; cursor: pointer; }
.small { font-size: 14px; color: var(--soft); }
code { font: 14px ui-monospace, monospace; }
.alone { display: block; max-width: 560px; margin: 0 auto; }
@media (max-width: 760px) { main { grid-template-columns: 1fr; } main > * { padding-block: 28px; } }
`;

const NOTICE = html`<p class="notice" style="margin:0">Sandbox checkout. No card is charged.</p>`;

/** The email that the session was opened with. The visitor cannot change it. */
export function prefilledEmail(session: Session): string | null {
  return session.customer_details?.email ?? null;
}

/** Renders the page on which a visitor pays. */
export function checkoutPage(
  record: CheckoutRecord,
  productName: string,
  form: CheckoutForm,
): string {
  const { session, order } = record;
  const isEmailFixed = prefilledEmail(session) !== null;
  const terms = session.custom_text.submit?.message;
  const body = html`${NOTICE}
    <main>
      <section class="order" aria-label="Your order">
        ${backLink(session.cancel_url)} ${orderSummary(record, productName)}
      </section>
      <section aria-label="Payment">
        <form method="post" action="/c/pay/${session.id}" novalidate>
          ${form.refusal && html`<p class="error" role="alert">${form.refusal.message}</p>`}
          <label>
            Email
            <input
              name="email"
              type="email"
              autocomplete="email"
              required
              value="${form.email}"
              ${isEmailFixed && html`readonly`}
              ${form.refusal?.field === 'email' && html`aria-invalid="true"`}
            />
          </label>
          <label>
            Card number
            <input
              name="cardNumber"
              inputmode="numeric"
              autocomplete="cc-number"
              placeholder="4242 4242 4242 4242"
              value="${form.cardNumber}"
              ${form.refusal?.field === 'cardNumber' && html`aria-invalid="true"`}
            />
          </label>
          <div class="pair">
            <label
              >Expiry
              <input name="expiry" autocomplete="cc-exp" placeholder="12 / 34" value="12 / 34"
            /></label>
            <label
              >CVC
              <input
                name="cvc"
                inputmode="numeric"
                autocomplete="cc-csc"
                placeholder="123"
                value="123"
            /></label>
          </div>
          <label
            >Cardholder name <input name="name" autocomplete="cc-name" value="${form.name}"
          /></label>
          ${
            session.tax_id_collection?.enabled &&
            html`<label>VAT number (optional) <input name="taxId" value="${form.taxId}" /></label>`
          }
          ${terms !== undefined && html`<p class="small">${terms}</p>`}
          <button type="submit">Subscribe</button>
        </form>
        <p class="small">Test cards: ${cardList()}</p>
        <p class="small">
          ${hasTrial(order) ? 'You pay nothing today.' : 'You pay for the first period today.'}
        </p>
      </section>
    </main>`;
  return page(`Checkout: ${productName}`, CSS, body);
}

/**
 * Renders the bank's page, on which the visitor confirms the payment. Leaving it changes nothing.
 */
export function authenticationPage(
  { session }: CheckoutRecord,
  form: Omit<CheckoutForm, 'refusal'>,
): string {
  const body = html`${NOTICE}
    <main class="alone">
      <section>
        <p class="price">3-D Secure</p>
        <p class="terms">Your bank asks you to confirm this payment.</p>
        <form method="post" action="/c/pay/${session.id}">
          ${Object.entries(form).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
          <p><button name="authentication" value="succeeded">Complete authentication</button></p>
          <p><button name="authentication" value="failed">Fail authentication</button></p>
        </form>
        ${backLink(session.cancel_url)}
      </section>
    </main>`;
  return page('3-D Secure', CSS, body);
}

/** Renders the page shown when a checkout is no longer open. */
export function closedCheckoutPage(
  title: string,
  explanation: string,
  backUrl: string | null,
): string {
  const body = html`${NOTICE}
    <main class="alone">
      <section>
        <p class="price">${title}</p>
        <p class="terms">${explanation}</p>
        ${backLink(backUrl)}
      </section>
    </main>`;
  return page(title, CSS, body);
}

function backLink(url: string | null): Html | null {
  return url === null ? null : html`<a href="${url}">&larr; Cancel and go back</a>`;
}

function orderSummary({ order }: CheckoutRecord, productName: string): Html {
  const { subtotal, discount, total } = periodPence(order);
  const recurring = order.items[0]?.price.recurring;
  const period = recurring ? toPeriodText(recurring.interval, recurring.interval_count) : 'month';
  const trial = order.trialPeriodDays === null ? null : `${order.trialPeriodDays} days free`;
  const amount = formatPence(total, true);
  return html`<h1>Subscribe to ${productName}</h1>
    <p class="price">${trial ?? `${amount} per ${period}`}</p>
    <p class="terms">
      ${trial === null ? `Billed every ${period}` : `Then ${amount} per ${period}`}
    </p>
    <dl>
      <dt>${productName}</dt>
      <dd>${formatPence(subtotal, true)}</dd>
      ${
        order.coupon &&
        html`<dt>
            ${order.coupon.name ?? order.coupon.id} ${toDiscountText(order.coupon.percent_off)}
          </dt>
          <dd>&minus;${formatPence(discount, true)}</dd>`
      }
      <dt>Per ${period}${trial !== null && ' after trial'}</dt>
      <dd>${amount}</dd>
      <dt class="total">Total due today</dt>
      <dd class="total">${formatPence(trial === null ? total : 0, true)}</dd>
    </dl>`;
}

function toPeriodText(interval: string, count: number): string {
  return count === 1 ? interval : `${count} ${interval}s`;
}

function toDiscountText(percentOff: number | null): string {
  return percentOff === null ? '' : `(${percentOff}% off)`;
}

function cardList(): Html[] {
  return Object.entries(TEST_CARDS).map(([number, { note }], index) => {
    const spaced = number.replaceAll(/(\d{4})(?=\d)/g, '$1 ');
    return html`${index > 0 && '; '}<code>${spaced}</code>: ${note.toLowerCase()}`;
  });
}
