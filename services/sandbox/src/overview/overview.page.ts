import type { BeehiivStore, Subscriber } from '../beehiiv/beehiiv.store.ts';
import { MAGIC_TAGS } from '../beehiiv/magic-emails.ts';
import type { Html } from '../html.ts';
import { formatDateAndTime, html, page } from '../html.ts';
import type { CaughtMail } from '../mail/mailbox.ts';
import { TEST_CARDS } from '../stripe/billing/test-cards.ts';
import type { StripeStore } from '../stripe/stripe.store.ts';
import type { Faults } from '../traffic/faults.ts';
import { FAULT_MODES } from '../traffic/faults.ts';
import type { LoggedRequest, RequestLog, Target } from '../traffic/request-log.ts';
import { TARGETS } from '../traffic/request-log.ts';

export type OverviewDeps = {
  beehiiv: BeehiivStore;
  stripe: StripeStore;
  now: () => Date;
  requests: RequestLog;
  faults: Faults;
  mails: () => CaughtMail[];
};

const SHOWN_SUBSCRIBERS = 200;
const SHOWN_REQUESTS = 50;
const SERVICES: Record<Target, string> = { beehiiv: 'Beehiiv', stripe: 'Stripe' };

const CSS = `
:root { --ink: #1b2430; --soft: #57534a; --line: #cfc9bb; }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1180px; padding: 24px 20px 64px; font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: #faf8f3; }
h1, h2 { font-family: Georgia, serif; font-weight: 600; line-height: 1.2; }
h2 { border-top: 2px solid var(--ink); padding-top: 12px; margin: 40px 0 12px; }
p { max-width: 68ch; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(320px, 1fr)); gap: 0 40px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: 6px 12px 6px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-size: 13px; color: var(--soft); }
code { font: 13px ui-monospace, monospace; }
form { display: flex; flex-wrap: wrap; gap: 8px; align-items: end; margin: 0 0 12px; }
form label { font-size: 13px; color: var(--soft); }
select, input { display: block; font: inherit; padding: 6px 8px; border: 1px solid var(--soft); background: #fff; }
input { width: 7em; }
button { font: inherit; padding: 7px 14px; border: 1px solid var(--ink); background: #fff; cursor: pointer; }
.fault { background: #9b1c10; color: #fff; padding: 2px 8px; }
.soft { color: var(--soft); }
`;

/** Renders the front page: magic emails, test cards, faults, the clock and received requests. */
export function overviewPage(deps: OverviewDeps): string {
  const body = html`<h1>Sandbox</h1>
    <p>
      Local versions of Beehiiv, Stripe and the <a href="/sample-site">sample site</a>, for
      development and tests. Any email address is accepted. Email is caught here and no card is
      charged. To manage a subscription, open the <a href="/p/login">customer portal</a>.
    </p>
    <div class="columns">
      <section>
        <h2>Magic emails</h2>
        ${magicEmails()}
      </section>
      <section>
        <h2>Test cards</h2>
        ${testCards()}
      </section>
    </div>
    <h2>Faults</h2>
    ${TARGETS.map((target) => faultForm(deps.faults, target))}
    <form method="post" action="/_control/reset">
      <button type="submit">Clear subscribers, purchases, faults and requests</button>
    </form>
    <h2>Stripe’s clock</h2>
    <form method="post" action="/_control/clock" aria-label="Stripe’s clock">
      <span class="soft">${formatDateAndTime(deps.now().getTime() / 1_000)} UTC</span>
      <label>Days <input name="days" inputmode="numeric" value="7" required /></label>
      <button type="submit">Move forward</button>
      <span class="soft"
        >Everything due on the way happens in order: trials end, subscriptions renew, failed charges
        are retried.</span
      >
    </form>
    <h2>Beehiiv subscribers</h2>
    ${subscribers(deps.beehiiv)}
    <h2>Stripe checkouts and subscriptions</h2>
    ${checkouts(deps.stripe)}
    <h2>Email</h2>
    ${mailTable(deps.mails())}
    <h2>Latest requests</h2>
    ${requestTable(deps.requests.list().slice(-SHOWN_REQUESTS).toReversed())}`;
  return page('Sandbox', CSS, body);
}

function table(headings: string[], rows: Html[], empty: string): Html {
  if (rows.length === 0) return html`<p class="soft">${empty}</p>`;
  const head = headings.map((heading) => html`<th scope="col">${heading}</th>`);
  return html`<div class="scroll">
    <table>
      <thead>
        <tr>
          ${head}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}

function magicEmails(): Html {
  const rows = Object.entries(MAGIC_TAGS).map(
    ([tag, effect]) =>
      html`<tr>
        <td><code>you+${tag}@example.com</code></td>
        <td>${effect}</td>
      </tr>`,
  );
  return table(['Email', 'What Beehiiv does'], rows, '');
}

function testCards(): Html {
  const rows = Object.entries(TEST_CARDS).map(
    ([number, { note }]) =>
      html`<tr>
        <td><code>${number}</code></td>
        <td>${note}</td>
      </tr>`,
  );
  return table(['Card number', 'What happens'], rows, '');
}

function faultForm(faults: Faults, target: Target): Html {
  const current = faults.current(target);
  const times = current?.timesLeft;
  return html`<form
    method="post"
    action="/_control/faults"
    aria-label="Fault in ${SERVICES[target]}"
  >
    <input type="hidden" name="target" value="${target}" />
    <strong>${SERVICES[target]}</strong>
    ${
      current
        ? html`<span class="fault"
            >${current.mode}${current.mode === 'status' && ` ${current.status}`}${times && `, ${times} more`}</span
          >`
        : html`<span class="soft">No fault</span>`
    }
    <label
      >Mode
      <select name="mode">
        ${FAULT_MODES.map((mode) => html`<option ${current?.mode === mode && html`selected`}>${mode}</option>`)}
      </select></label
    >
    <label>Status <input name="status" inputmode="numeric" placeholder="500" /></label>
    <label>Times <input name="times" inputmode="numeric" placeholder="every" /></label>
    <label>Delay (ms) <input name="delayMs" inputmode="numeric" placeholder="3000" /></label>
    <button type="submit">Set</button>
  </form>`;
}

function subscribers(beehiiv: BeehiivStore): Html {
  const all = beehiiv.all().toReversed();
  const rows = all
    .slice(0, SHOWN_SUBSCRIBERS)
    .map((subscriber) => subscriberRow(beehiiv, subscriber));
  const count = html`<p class="soft">
    ${all.length}
    ${all.length === 1 ? 'subscriber' : 'subscribers'}${all.length > SHOWN_SUBSCRIBERS && `, newest ${SHOWN_SUBSCRIBERS} shown`}.
  </p>`;
  const headings = ['Email', 'Status', 'Tier', 'Custom fields', 'UTM', 'Subscribed (UTC)'];
  return html`${count}${table(headings, rows, 'No subscribers yet.')}`;
}

function subscriberRow(beehiiv: BeehiivStore, subscriber: Subscriber): Html {
  const status = beehiiv.statusOf(subscriber);
  const fields = Object.entries(subscriber.customFields);
  const utm = Object.entries(subscriber.utm).filter(([, value]) => value !== '');
  return html`<tr>
    <td>${subscriber.email}</td>
    <td>
      ${status}
      ${status === 'pending' && subscriberForm(subscriber, 'confirm', 'Confirm subscription')}
      ${status === 'active' && subscriberForm(subscriber, 'unsubscribe', 'Unsubscribe')}
      ${subscriberForm(subscriber, 'delete', 'Delete')}
    </td>
    <td>
      ${subscriber.tier}
      ${
        subscriber.tier === 'free'
          ? subscriberForm(subscriber, 'premium', 'Make premium')
          : subscriberForm(subscriber, 'free', 'Make free')
      }
    </td>
    <td>
      ${fields.map(([name, value]) => html`<div><code>${name}</code> ${String(value)}</div>`)}
    </td>
    <td>${utm.map(([name, value]) => html`<div><code>${name}</code> ${value}</div>`)}</td>
    <td>${formatDateAndTime(subscriber.created)}</td>
  </tr>`;
}

function subscriberForm({ email }: Subscriber, action: string, label: string): Html {
  return html`<form method="post" action="${`/_control/beehiiv/${action}`}">
    <input type="hidden" name="email" value="${email}" /><button type="submit">${label}</button>
  </form>`;
}

function checkouts(stripe: StripeStore): Html {
  const rows = stripe.checkouts
    .newestFirst()
    .slice(0, SHOWN_REQUESTS)
    .map(({ session }) => {
      const subscription = stripe.subscriptions.find(session.subscription ?? '');
      return html`<tr>
        <td>${session.customer_details?.email}</td>
        <td>
          ${session.url === null ? session.status : html`<a href="${session.url}">${session.status}</a>`}
        </td>
        <td>
          ${subscription?.status}${subscription?.cancel_at_period_end === true && ', cancels at period end'}
        </td>
        <td>${session.discounts.map(({ coupon }) => html`<code>${coupon}</code>`)}</td>
        <td>${formatDateAndTime(session.created)}</td>
      </tr>`;
    });
  return table(
    ['Email', 'Checkout', 'Subscription', 'Coupon', 'Started (UTC)'],
    rows,
    'No checkouts yet.',
  );
}

function mailTable(mails: CaughtMail[]): Html {
  const rows = mails.map(
    ({ id, at, to, subject }) =>
      html`<tr>
        <td>${formatDateAndTime(at)}</td>
        <td>${to.join(', ')}</td>
        <td><a href="${`/mail/${id}`}">${{ markup: subject }}</a></td>
      </tr>`,
  );
  return table(['Time (UTC)', 'To', 'Subject'], rows, 'No email yet.');
}

function requestTable(requests: LoggedRequest[]): Html {
  const rows = requests.map(
    (request) =>
      html`<tr>
        <td>${request.at.slice(11, 19)}</td>
        <td>${request.target}</td>
        <td><code>${request.method} ${request.path}</code></td>
        <td>${request.status ?? request.outcome}</td>
        <td>${request.tookMs !== null && `${request.tookMs} ms`}</td>
      </tr>`,
  );
  return table(['Time (UTC)', 'Service', 'Request', 'Answer', 'Took'], rows, 'No requests yet.');
}
