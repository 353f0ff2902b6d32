import { expect, test } from 'vitest';
import { findPasswordFault } from './password.ts';

test.for([
  'elevenchars',
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
])('the password "%s" is refused', (password) => {
  expect(findPasswordFault(password, 'j.holt')).toEqual(expect.any(String));
});

test.for(['correct horse battery', 'Xk3-mWq9_tRz', '8f3a91c20b7e', 'viel zu lange Wörter', 'пароль из слов'])(
  'the password "%s" is accepted',
  (password) => {
    expect(findPasswordFault(password, 'j.holt')).toBeNull();
  },
);
