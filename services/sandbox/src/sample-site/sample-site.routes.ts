import { randomBytes } from 'node:crypto';
import { Router } from 'express';
import { OFFER } from '@site/schema/offer';
import type { Html } from '../html.ts';
import { html, jsonForScript, page } from '../html.ts';

const CSS = `
body { font: 17px/1.5 Georgia, serif; color: #1b2430; background: #f4f1ea; margin: 0; }
main { max-width: 520px; margin: 0 auto; padding: 56px 20px; }
label { display: block; margin-bottom: 14px; font-size: 15px; }
input { display: block; width: 100%; box-sizing: border-box; font: inherit; padding: 10px 12px; margin-top: 4px; border: 1px solid #8a8578; background: #fff; }
button { font: inherit; padding: 12px 20px; border: 0; background: #1b2430; color: #fff; cursor: pointer; }
button[disabled] { opacity: .6; }
.error { color: #9b1c10; font-weight: bold; }
.small { font-size: 14px; color: #57534a; }
`;

/**
 * Runs in the visitor's browser on a different origin from the product, as on the real sample site.
 */
const SCRIPT: Html = {
  markup: `
const settings = JSON.parse(document.getElementById('settings').textContent);
const form = document.querySelector('form');
const button = form.querySelector('button');
const error = document.getElementById('error');
form.addEventListener('submit', async (event) => {
  event.preventDefault();
  error.textContent = '';
  button.disabled = true;
  const field = (name) => form.elements[name].value.trim();
  const email = field('email');
  try {
    const response = await fetch(settings.leadUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        email,
        fullName: field('fullName'),
        company: field('company'),
        formType: 'pre_sample',
        landingPage: location.href,
        referrer: document.referrer,
      }),
    });
    if (!response.ok) throw new Error(await readProblem(response));
    location.href = settings.sentUrl + '#email=' + encodeURIComponent(email);
  } catch (failure) {
    error.textContent = failure instanceof TypeError ? 'The site cannot be reached. Please try again.' : failure.message;
    button.disabled = false;
  }
});
async function readProblem(response) {
  const fallback = 'The request was refused (' + response.status + ').';
  const problem = await response.json().catch(() => null);
  if (!problem) return fallback;
  const fields = (problem.errors || []).map((item) => item.message).join(' ');
  return fields || problem.detail || problem.title || fallback;
}
`,
};

/** Serves the external site that gives away the sample issue, at `/sample-site`. */
export function sampleSiteRoutes({ productUrl }: { productUrl: () => string }): Router {
  const router = Router();

  router.get('/', (_req, res) => {
    const nonce = randomBytes(16).toString('base64');
    const product = productUrl();
    const settings = {
      leadUrl: `${product}/api/lead/subscribe`,
      sentUrl: `${product}/sample-sent`,
    };
    const { number } = OFFER.sampleIssue;
    const body = html`<main>
      <h1>Free sample: issue #${number}</h1>
      <p>${OFFER.productName}, one full issue by email.</p>
      <form novalidate>
        <label>Full name <input name="fullName" autocomplete="name" /></label>
        <label
          >Email address <input name="email" type="email" autocomplete="email" required
        /></label>
        <label>Company (optional) <input name="company" autocomplete="organization" /></label>
        <p id="error" class="error" role="alert"></p>
        <button type="submit">Send me the sample</button>
      </form>
      <p class="small">
        This page is part of the sandbox. It takes the place of the external sample site.
      </p>
      <script type="application/json" id="settings" nonce="${nonce}">
        ${jsonForScript(settings)}
      </script>
      <script nonce="${nonce}">
        ${SCRIPT};
      </script>
    </main>`;
    res.setHeader(
      'content-security-policy',
      `default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'nonce-${nonce}'; connect-src ${new URL(product).origin}`,
    );
    res.type('html').send(page('Free sample', CSS, body));
  });

  return router;
}
