import { expect, test } from 'vitest';
import { hasOutsideOrigin, readVisitOrigin, toPublicUrl } from './attribution.ts';

const read = (url: string, referrer = '') => readVisitOrigin({ url, referrer });

test('the campaign and click ids of a visit are read', () => {
  const origin = read(
    'https://site.example/?utm_source=news&utm_medium=email&utm_campaign=dec&utm_term=t&utm_content=c&gclid=g&fbclid=f&ttclid=tt',
  );

  expect(origin).toMatchObject({
    visitUtm: { source: 'news', medium: 'email', campaign: 'dec', term: 't', content: 'c' },
    gclid: 'g',
    fbclid: 'f',
    ttclid: 'tt',
  });
});

test('a visit without a campaign has none', () => {
  const origin = read('https://site.example/?utm_source=&gclid=');

  expect(origin.visitUtm).toEqual({});
  expect(origin).not.toHaveProperty('gclid');
  expect(hasOutsideOrigin(origin)).toBe(false);
});

test('a page of another site is a referrer', () => {
  const origin = read('https://site.example/', 'https://www.example.org/a');

  expect(origin.referrer).toBe('https://www.example.org/a');
  expect(hasOutsideOrigin(origin)).toBe(true);
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

test('a public URL contains no email, checkout or fragment', () => {
  expect(
    toPublicUrl(
      'https://site.example/thank-you?email=a%40b.example&checkout=cancelled&session_id=cs_1&utm_source=news#email=a@b.example',
    ),
  ).toBe('https://site.example/thank-you?utm_source=news');
});
