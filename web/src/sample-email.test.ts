// @vitest-environment happy-dom
import { beforeEach, describe, expect, test } from 'vitest';
import { dropSampleEmail, readSampleEmail, takeSampleEmail } from './sample-email.ts';

const NOW = new Date('2025-12-03T10:00:00Z');
const DAY_30 = new Date('2026-01-02T10:00:00Z');

beforeEach(() => {
  dropSampleEmail();
  localStorage.clear();
});

describe('takeSampleEmail', () => {
  test.each([
    ['https://site.example/sample-sent#email=priya%40northgate.example', '/sample-sent'],
    ['https://site.example/sample-sent?email=priya%40northgate.example', '/sample-sent'],
    [
      'https://site.example/sample-sent?email=priya@northgate.example&utm_source=s#top',
      '/sample-sent?utm_source=s#top',
    ],
    ['https://site.example/sample-sent#email=priya@northgate.example&a=1', '/sample-sent#a=1'],
  ])('the sample’s email is taken from %s, and the address becomes %s', (address, clean) => {
    expect(takeSampleEmail(address, NOW)).toBe(clean);
    expect(localStorage.getItem('sampleEmail')).toBe('priya@northgate.example');
  });

  test('a URL without an email does not change', () => {
    expect(takeSampleEmail('https://site.example/sample-sent#faq', NOW)).toBeNull();
  });

  test('an invalid email is removed from the URL and not saved', () => {
    expect(takeSampleEmail('https://site.example/sample-sent#email=nobody', NOW)).toBe(
      '/sample-sent',
    );
    expect(localStorage.getItem('sampleEmail')).toBeNull();
  });
});

describe('readSampleEmail', () => {
  test('the sample’s email is stored for thirty days', () => {
    takeSampleEmail('https://site.example/sample-sent#email=priya@northgate.example', NOW);

    expect(readSampleEmail(new Date(DAY_30.getTime() - 1))).toBe('priya@northgate.example');
    expect(readSampleEmail(DAY_30)).toBeUndefined();
    expect(localStorage.length).toBe(0);
  });

  test('a sample’s email that is dropped is deleted', () => {
    takeSampleEmail('https://site.example/sample-sent#email=priya@northgate.example', NOW);

    dropSampleEmail();

    expect(readSampleEmail(NOW)).toBeUndefined();
  });
});
