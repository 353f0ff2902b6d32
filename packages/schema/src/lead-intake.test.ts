import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LEAD_FIELDS } from './lead-fields.ts';
import { leadIntakeBody } from './lead-intake.ts';

const minimal = { email: 'ada@reader.example', formType: 'pre_buy' };

test('a lead may have any value in any other field', () => {
  const others = Object.keys(leadIntakeBody.shape).filter(
    (field) => field !== 'email' && field !== 'formType',
  );
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...others), fc.anything()), (fields) => {
      expect(leadIntakeBody.safeParse({ ...fields, ...minimal }).success).toBe(true);
    }),
  );
});

test('long text is cut, but a long email is refused', () => {
  const long = '𝒳'.repeat(3_000);
  const parsed = leadIntakeBody.parse({ ...minimal, fullName: long, gclid: long });

  expect(Array.from(parsed.fullName!)).toHaveLength(LEAD_FIELDS.fullName.limit);
  expect(Array.from(parsed.gclid!)).toHaveLength(LEAD_FIELDS.gclid.limit);
  expect(
    leadIntakeBody.safeParse({ ...minimal, email: `${'a'.repeat(250)}@reader.example` }).success,
  ).toBe(false);
});

test('characters that the database cannot store are removed', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (text) => {
      const { fullName } = leadIntakeBody.parse({ ...minimal, fullName: `\0\uD800${text}` });
      expect(fullName ?? '').not.toMatch(/\p{Surrogate}/u);
      expect(fullName?.includes('\0') ?? false).toBe(false);
      expect(Array.from(fullName ?? '').length).toBeLessThanOrEqual(LEAD_FIELDS.fullName.limit);
    }),
  );
});
