import { expect, test } from 'vitest';
import { readAttribution } from './attribution.ts';

const read = (url: string, referrer = '') => readAttribution({ url, referrer }, 'session-1');

test('the campaign of a visit and its click ids are kept apart from the button', () => {
  const attribution = read(
    'https://site.example/?utm_source=news&utm_medium=email&utm_campaign=dec&utm_term=t&utm_content=c&gclid=g&fbclid=f&ttclid=tt',
  );

  expect(attribution).toMatchObject({
    visitUtm: { source: 'news', medium: 'email', campaign: 'dec', term: 't', content: 'c' },
    firstUtm: { source: 'news' },
    gclid: 'g',
    fbclid: 'f',
    ttclid: 'tt',
    sessionId: 'session-1',
  });
});

test('a visit without a campaign names none', () => {
  const attribution = read('https://site.example/?utm_source=&gclid=');

  expect(attribution.visitUtm).toEqual({});
  expect(attribution).not.toHaveProperty('gclid');
});

test('a page of another site is a referrer', () => {
  expect(read('https://site.example/', 'https://www.example.org/a').referrer).toBe('https://www.example.org/a');
});

test.each([
  'https://checkout.stripe.com/c/pay/cs_1',
  'https://stripe.com/',
  'https://site.example/thank-you',
  '',
  'nonsense',
])('neither Stripe nor a page of ours is a referrer: %s', (referrer) => {
  expect(read('https://site.example/', referrer)).not.toHaveProperty('referrer');
});

test('the landing page carries no address, no checkout and no fragment', () => {
  const attribution = read(
    'https://site.example/?email=a%40b.example&checkout=cancelled&utm_source=news#email=a@b.example',
  );

  expect(attribution.landingPage).toBe('https://site.example/?utm_source=news');
  expect(attribution.firstPage).toBe(attribution.landingPage);
});
