import { expect, test } from 'vitest';
import { seal, sign, unseal, unsign } from './sealed-text.ts';

test('a sealed text is opened by the secret that sealed it, in any place', () => {
  const sealed = seal(['old'], 'test', 'secret £');

  expect(unseal(['old'], 'test', sealed)).toBe('secret £');
  expect(unseal(['new', 'old'], 'test', sealed)).toBe('secret £');
  expect(unseal(['new'], 'test', sealed)).toBeNull();
  expect(unseal(['old'], 'other', sealed)).toBeNull();
  expect(
    unseal(['old'], 'test', `${sealed.startsWith('A') ? 'B' : 'A'}${sealed.slice(1)}`),
  ).toBeNull();
  expect(unseal(['old'], 'test', '')).toBeNull();
});

test('a signed text is accepted only as it was signed', () => {
  const signed = sign(['old'], 'test', 'a.b');

  expect(unsign(['new', 'old'], 'test', signed)).toBe('a.b');
  expect(unsign(['new'], 'test', signed)).toBeNull();
  expect(unsign(['old'], 'test', signed.replace('a.b', 'a.c'))).toBeNull();
  expect(unsign(['old'], 'test', 'a')).toBeNull();
  expect(unsign(['old'], 'test', '')).toBeNull();
});
