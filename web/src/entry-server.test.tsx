// @vitest-environment node
import type { CheckoutStateAnswer } from '@site/schema/calls/visitor';
import type { OfferPhase } from '@site/schema/offer';
import { buildFormValues } from '@site/schema/form-fields';
import type { PlainForm } from '@site/schema/page-render';
import { DEFAULT_SITE_SETTINGS } from '@site/schema/site-settings';
import type { SiteSettings } from '@site/schema/site-settings';
import { describe, expect, test } from 'vitest';
import { renderPage } from './entry-server.tsx';

const BEFORE_RISE = new Date('2025-12-03T10:00:00Z');
const AFTER_RISE = new Date('2026-02-03T10:00:00Z');

type Asked = {
  phase?: OfferPhase;
  now?: Date;
  settings?: Partial<SiteSettings>;
  form?: PlainForm;
  checkout?: CheckoutStateAnswer;
};

async function render(
  path: string,
  { phase = 'launch', now = BEFORE_RISE, settings, ...plain }: Asked = {},
) {
  const publicUrl = 'https://site.example';
  const site = { ...DEFAULT_SITE_SETTINGS, publicUrl, offerPhase: phase, ...settings };
  const { head, body } = await renderPage({
    path,
    site,
    now,
    ...plain,
  });
  const text = body
    .replaceAll('<!-- -->', '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ');
  const data = [...head.matchAll(/ld\+json">(.+?)<\/script>/g)].map(([, json = '']) =>
    JSON.parse(json),
  );
  return { head, body, text, data };
}

describe('the landing page', () => {
  test('the landing page has its eleven sections in order', async () => {
    const { text } = await render('/');

    const marks = [
      'Skip to content',
      'Download Free Sample',
      'Six things a buyer needs',
      'What three leads came to',
      'Issue #247: 15 New Leads',
      'Why it works',
      'Reviews Illustrative: they show what readers value',
      'If it is worth nothing to',
      'What buyers ask first',
      'Download Free Sample Issue (PDF)',
      'Quick links',
    ].map((mark) => text.indexOf(mark));
    expect(marks).not.toContain(-1);
    expect(marks).toEqual([...marks].sort((a, b) => a - b));
  });

  test('the launch price, its rise and its lock are stated during the launch', async () => {
    const { text, data } = await render('/');

    expect(text).toContain('Subscribe Now – £239/mo');
    expect(text).toContain('rises to £299/month on 1 January 2026');
    expect(text).toContain('locked for life');
    expect(text).toContain('£720');
    expect(data[0]).toMatchObject({ offers: { price: '239.00', priceValidUntil: '2026-01-01' } });
  });

  test('the landing page mentions no rise or lock after the launch', async () => {
    const { text, data } = await render('/', { phase: 'standard' });

    expect(text).toContain('Subscribe Now – £299/mo');
    expect(text).not.toMatch(/£239|for life|rises|1 January 2026|£720|launch price/i);
    expect(data[0]).toMatchObject({ offers: { price: '299.00' } });
    expect(JSON.stringify(data)).not.toContain('priceValidUntil');
  });

  test('the phase stays after the named day, and search engines get no end date', async () => {
    const { text, data } = await render('/', { now: AFTER_RISE });

    expect(text).toContain('£239/month');
    expect(data[0].offers).not.toHaveProperty('priceValidUntil');
  });

  test.each([
    ['2026-01-01', '2025-12-31T23:59:59Z', '2026-01-01T00:00:00Z'],
    ['2026-07-01', '2026-06-30T22:59:59Z', '2026-06-30T23:00:00Z'],
  ])('the rise on %s is announced until that day begins', async (priceRisesOn, before, after) => {
    const settings = { priceRisesOn, keepsPastRise: false };
    const last = await render('/', { now: new Date(before), settings });
    const first = await render('/', { now: new Date(after), settings });

    expect(last.text).toMatch(/rises to £299\/month on 1 \w+ 2026 .*You save per year £720/);
    expect(first.text).not.toMatch(/£299|rises|1 January|1 July|You save|£720/);
    expect(first.text).toContain('£239 a month, locked for life');
  });

  test('the specified announcement stays where the product is tried out', async () => {
    const { text } = await render('/', { now: AFTER_RISE });

    expect(text).toContain('rises to £299/month on 1 January 2026');
  });

  test('search engines get the same five questions and answers as visitors', async () => {
    const { text, data } = await render('/');

    const questions: { name: string; acceptedAnswer: { text: string } }[] = data[1].mainEntity;
    expect(questions.map(({ name }) => name)).toEqual([
      'What does the trial include?',
      'How do I cancel?',
      'Where do the leads come from?',
      'Is it legal to contact these people?',
      'What if nothing suits me?',
    ]);
    for (const { name, acceptedAnswer } of questions) {
      expect(text).toContain(name);
      expect(text).toContain(acceptedAnswer.text);
    }
  });
});

test('no SVG attribute has a unit that WebKit refuses', async () => {
  for (const path of ['/', '/sample-sent', '/subscribe', '/thank-you', '/no-such-page'])
    expect((await render(path)).body.match(/"[\d.]+rem"/g)).toBeNull();
});

test('the page after a sample promises a price for life only during the launch', async () => {
  expect((await render('/sample-sent')).text).toContain('stay at this price for life');
  expect((await render('/sample-sent', { phase: 'standard' })).text).not.toMatch(
    /for life|launch/i,
  );
});

test('the page after a sample says without scripts how a checkout ended', async () => {
  const [cancelled, failed, plain] = await Promise.all(
    ['?checkout=cancelled', '?checkout=failed', ''].map(
      async (query) => (await render(`/sample-sent${query}`)).text,
    ),
  );

  expect(cancelled).toContain('You came back from Stripe without paying.');
  expect(failed).toContain('Nothing was charged. Try again, or write to');
  expect(plain).not.toMatch(/Nothing was charged/);
});

describe('the thank-you page', () => {
  test('the thank-you page gives nine o’clock GMT in British time, too, in summer', async () => {
    expect((await render('/thank-you', { now: new Date('2026-07-01T10:00:00Z') })).text).toContain(
      '9AM GMT (10AM UK time)',
    );
  });

  test('with a checkout the thank-you page welcomes nobody whom Stripe does not confirm', async () => {
    const { text, head, body } = await render('/thank-you?session_id=cs_1', {
      checkout: { state: 'processing' },
    });

    expect(text).not.toMatch(/Welcome|Receipt/);
    expect(head).toContain('<title>Confirming your checkout</title>');
    // Without scripts a press reloads the state.
    expect(body).toMatch(/<form.*name="session_id" value="cs_1".*Check again/);
  });
});

test('the form without scripts shows typed values as text, and errors beside fields', async () => {
  const form: PlainForm = {
    from: 'top_sub',
    values: { ...buildFormValues(() => ''), fullName: '"><script>', email: 'x' },
    errors: { email: 'Invalid email' },
    notice: null,
    intentId: 'intent-1',
    landingPage: 'https://site.example/',
  };

  const { body, head } = await render('/subscribe', { form });

  expect(body).toContain('value="&quot;&gt;&lt;script&gt;"');
  expect(body).not.toContain('<script');
  expect(body).toMatch(/aria-invalid="true"[^>]*name="email"|name="email"[^>]*aria-invalid="true"/);
  // Otherwise the browser's own message would come first.
  expect(body).toMatch(/<form[^>]* novalidate/i);
  expect(head).toContain('<title>Please check: ');
});
