import { expect, test } from 'vitest';
import { seal, unseal } from './sealed-text.ts';

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
