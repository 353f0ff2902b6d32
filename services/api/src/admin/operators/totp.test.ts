import { describe, expect, test } from 'vitest';
import { codeAt, findStep, toBase32, toOtpauthUri } from './totp.ts';

const SECRET = Buffer.from('12345678901234567890');

describe('a code', () => {
  // RFC 6238, appendix B, the rows of SHA-1.
  test.for([
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ] as const)('%i seconds after 1970 is the RFC’s %s', ([seconds, code]) => {
    expect(codeAt(SECRET, Math.floor(seconds / 30), 8)).toBe(code);
  });

  // RFC 4226, appendix D.
  test('has the six digits of the RFC’s counter', () => {
    expect(Array.from({ length: 5 }, (_, step) => codeAt(SECRET, step))).toEqual([
      '755224',
      '287082',
      '359152',
      '969429',
      '338314',
    ]);
  });

  test('is found one step early and late, and no further', () => {
    const now = new Date('2026-11-20T12:00:10Z');
    const step = Math.floor(now.getTime() / 30_000);
    const found = [-2, -1, 0, 1, 2].map((drift) => findStep(SECRET, codeAt(SECRET, step + drift), now));

    expect(found).toEqual([null, step - 1, step, step + 1, null]);
    expect(findStep(SECRET, '', now)).toBeNull();
    expect(findStep(SECRET, 'ab🙂cd', now)).toBeNull();
  });
});

// RFC 4648, section 10, without padding.
test.for([
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foobar', 'MZXW6YTBOI'],
] as const)('the text %s is %s in base32', ([text, written]) => {
  expect(toBase32(Buffer.from(text))).toBe(written);
});

test('the address for an app names the issuer and the operator', () => {
  expect(toOtpauthUri(SECRET, { issuer: 'Liquidation Ledger', username: 'j&holt' })).toBe(
    'otpauth://totp/Liquidation%20Ledger:j%26holt?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Liquidation%20Ledger',
  );
});
