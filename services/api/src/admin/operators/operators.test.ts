import { expect, test } from 'vitest';
import { findPasswordError } from './operators.ts';

test.for([
  'elevenchars',
  'Q    z    7    !',
  'Password123456',
  'p4ssw0rd2024!!',
  'P@$$w0rd12345',
  'qwertyuiop12',
  'abcabcabcabc',
  '111111111111',
  'LetMeIn-Please',
  'iloveyou123456',
  'Correct-Horse-Battery-Staple',
  'j.holt.j.holt',
  'J.Holt20261234',
  'admin admin admin',
  'Liverpool2024!',
  '1qaz2wsx3edc',
  'minecraft123',
  'zaq12wsxcde3',
  'q1w2e3r4t5y6',
  'passwordpassword',
  'rockyou12345',
  'Summer2024!!',
  'Liquidation2026',
  'the quick brown fox!',
  'ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1ab1',
])('the password "%s" is refused', (password) => {
  expect(findPasswordError(password, 'j.holt')).toEqual(expect.any(String));
});

test.for([
  'correct horse battery',
  'Xk3-mWq9_tRz',
  '8f3a91c20b7e',
  'viel zu lange Wörter',
  'пароль из слов',
])('the password "%s" is accepted', (password) => {
  expect(findPasswordError(password, 'j.holt')).toBeNull();
});
