import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LEAD_FIELDS } from './lead-fields.ts';
import { leadIntakeBody } from './lead-intake.ts';

const minimal = { email: 'ada@reader.example', formType: 'pre_buy' };

describe('leadIntakeBody', () => {
  test('requires only an address and a form type', () => {
    expect(leadIntakeBody.parse(minimal)).toMatchObject({
      ...minimal,
      consentMarketing: false,
      clickedSubscribe: false,
    });
    expect(leadIntakeBody.safeParse({ ...minimal, formType: 'other' }).success).toBe(false);
    expect(leadIntakeBody.safeParse({ formType: 'pre_buy' }).error?.issues[0]?.message).toBe(
      'Enter your email address',
    );
  });

  test('accepts any value in any other field', () => {
    const others = Object.keys(leadIntakeBody.shape).filter((field) => field !== 'email' && field !== 'formType');
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...others), fc.anything()), (fields) => {
        expect(leadIntakeBody.safeParse({ ...fields, ...minimal }).success).toBe(true);
      }),
    );
  });

  test('trims an address and changes only the case of its domain', () => {
    expect(leadIntakeBody.parse({ ...minimal, email: '  Ada.L@Reader.EXAMPLE ' }).email).toBe('Ada.L@reader.example');
  });

  test('cuts long text, but refuses a long address', () => {
    const long = '𝒳'.repeat(3_000);
    const parsed = leadIntakeBody.parse({ ...minimal, fullName: long, gclid: long });

    expect(Array.from(parsed.fullName!)).toHaveLength(LEAD_FIELDS.fullName.limit);
    expect(Array.from(parsed.gclid!)).toHaveLength(LEAD_FIELDS.gclid.limit);
    expect(leadIntakeBody.safeParse({ ...minimal, email: `${'a'.repeat(250)}@reader.example` }).success).toBe(false);
  });

  test('removes characters the database cannot store', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (text) => {
        const { fullName } = leadIntakeBody.parse({ ...minimal, fullName: `\0\uD800${text}` });
        expect(fullName ?? '').not.toMatch(/\p{Surrogate}/u);
        expect(fullName?.includes('\0') ?? false).toBe(false);
        expect(Array.from(fullName ?? '').length).toBeLessThanOrEqual(LEAD_FIELDS.fullName.limit);
      }),
    );
  });

  test('reads the campaigns of this visit and of the first', () => {
    const parsed = leadIntakeBody.parse({
      ...minimal,
      visitUtm: { source: 'linkedin', extra: 1 },
      firstUtm: 'nonsense',
    });

    expect(parsed.visitUtm).toEqual({ source: 'linkedin' });
    expect(parsed.firstUtm.source).toBeUndefined();
  });
});
