import axios from 'axios';
import { expect, test } from 'vitest';
import {
  beehiivClient,
  buildCatalog,
  buildSessionParams,
  startSandbox,
  stripeClient,
} from '../testing/fixtures.ts';

const EVIL = `<script>alert("x")</script>'onmouseover='y`;

test('the overview page escapes every value', async () => {
  const sandbox = await startSandbox();
  const stripe = stripeClient(sandbox);
  const { price } = await buildCatalog(stripe);
  await stripe.checkout.sessions.create({
    ...buildSessionParams(price.id),
    customer_email: `"<b>"@example.com`,
  });
  await beehiivClient(sandbox).post('/subscriptions', {
    email: `ada+'x'&y@example.com`,
    utm_source: EVIL,
    custom_fields: [{ name: 'company', value: EVIL }],
  });

  const { data, headers } = await axios.get(sandbox.url);

  expect(data).toContain('you+invalid@example.com');
  expect(data).toContain('4000000000000341');
  expect(data).toContain('ada+&#39;x&#39;&amp;y@example.com');
  expect(data).toContain(
    '&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&#39;onmouseover=&#39;y',
  );
  expect(data).toContain('&quot;&lt;b&gt;&quot;@example.com');
  expect(data).toContain('/subscriptions</code>');
  expect(data).not.toContain('<script');
  expect(data).not.toContain('<b>"');
  expect(headers['content-security-policy']).toContain("default-src 'none'");
});

test('the overview page’s controls are plain forms that lead back to it', async () => {
  const sandbox = await startSandbox();
  const form = new URLSearchParams({
    target: 'stripe',
    mode: 'status',
    status: '503',
    times: '',
    delayMs: '',
  });

  const { status, headers } = await axios.post(`${sandbox.url}/_control/faults`, form, {
    headers: { Accept: 'text/html,application/xhtml+xml' },
    maxRedirects: 0,
    validateStatus: () => true,
  });

  expect([status, headers['location']]).toEqual([303, '/']);
  expect((await axios.get(sandbox.url)).data).toContain('status 503');
});
