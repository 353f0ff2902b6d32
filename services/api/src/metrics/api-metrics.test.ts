import { expect } from 'vitest';
import { test } from '../testing/api.fixture.ts';
import type { Api } from '../testing/api.fixture.ts';
import { openCheckout, test as shopTest } from '../testing/shop.fixture.ts';
import { nameRoute } from './api-metrics.ts';

async function readMetrics(api: Pick<Api, 'url'>): Promise<string> {
  return (await fetch(`${api.url}/metrics`)).text();
}

const LEAD = {
  email: 'ada@example.com',
  formType: 'pre_buy',
  consentMarketing: true,
  elapsedMs: 9_000,
};

test('metrics count leads by form and outcome', async ({ api }) => {
  const post = (body: object) => api.call('POST', '/api/lead/subscribe', { body });
  await post(LEAD);
  await post(LEAD);
  await post({ ...LEAD, email: 'bob@example.com', formType: 'pre_sample' });
  await post({ ...LEAD, email: 'robot@example.com', website: 'http://spam.example' });
  await post({ ...LEAD, email: 'nobody' });

  const text = await readMetrics(api);

  expect(text).toContain('leads_accepted_total{form_type="pre_buy",outcome="created"} 1');
  expect(text).toContain('leads_accepted_total{form_type="pre_buy",outcome="repeated"} 1');
  expect(text).toContain('leads_accepted_total{form_type="pre_buy",outcome="quarantined"} 1');
  expect(text).toContain('leads_accepted_total{form_type="pre_sample",outcome="created"} 1');
  expect(text).toContain('leads_accepted_total{form_type="pre_sample",outcome="quarantined"} 0');
  expect(text).toContain('leads_pending 2');
});

test('metrics name routes by their templates and hold no personal data', async ({ api }) => {
  const operator = await api.logIn();
  const lead = await api.call('POST', '/api/lead/subscribe', { body: LEAD });
  await api.call('GET', `/api/admin/leads/${lead.json.id}`, { headers: operator });
  await api.call('GET', '/api/admin/leads?search=ada%40example.com', { headers: operator });
  await api.call('GET', '/api/admin/leads/ada@example.com', { headers: operator });
  await api.call('GET', '/ada@example.com');
  await api.call('GET', '/api/ada@example.com');

  const text = await readMetrics(api);

  expect(text).toContain('{method="POST",route="/api/lead/subscribe",status_class="2xx"} 1');
  expect(text).toContain('{method="GET",route="/api/admin/leads/{id}",status_class="2xx"} 1');
  expect(text).toContain('{method="GET",route="/api/admin/leads/{id}",status_class="4xx"} 1');
  expect(text).not.toContain('ada@');
  expect(text).not.toContain('ada%40');
  expect(text).not.toContain(lead.json.id);
});

shopTest('metrics count Stripe’s events and measure our calls to Stripe', async ({ shop }) => {
  await openCheckout(shop);
  await shop.deliver({
    id: 'evt_1',
    object: 'event',
    type: 'unheard.of',
    livemode: false,
    data: { object: {} },
  });

  const text = await readMetrics(shop);

  expect(text).toContain('stripe_webhook_events_total{outcome="ignored"} 1');
  expect(text).toContain('stripe_webhook_events_total{outcome="parked"} 0');
  expect(text).toMatch(
    /stripe_request_duration_seconds_count\{method="POST",resource="checkout\/sessions",status_class="2xx"\} 1/,
  );
});

test.for([
  ['/api/admin/leads', '/api/admin/leads'],
  ['/api/admin/leads/', '/api/admin/leads'],
  // Another case is another path, which is not found.
  ['/API/Admin/Leads/', '/{path}'],
  ['/api/admin/leads/retry', '/api/admin/leads/retry'],
  ['/api/admin/leads/0190', '/api/admin/leads/{id}'],
  ['/api/admin/leads/0190/more', '/api/{path}'],
  ['/assets/index-1a2b.js', '/assets/{path}'],
  ['/apis', '/{path}'],
  ['/', '/'],
  ['/thank-you/', '/thank-you'],
  ['/ada@example.com', '/{path}'],
] as const)('the route label of %s is %s', ([path, name]) => {
  expect(nameRoute(path)).toBe(name);
});
