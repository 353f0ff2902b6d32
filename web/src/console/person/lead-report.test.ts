import { expect, test } from 'vitest';
import { buildDetail, buildLead } from '../../testing/build-console.ts';
import { toReport } from './lead-report.ts';

test('a report of a lead quotes the consent text, if it was recorded, and says whether it was agreed to', () => {
  const report = (consentTextVersion: string | null, consentMarketing = true) =>
    toReport(
      buildDetail(buildLead({ consentTextVersion, consentMarketing })),
      new Date('2025-12-03T09:31:00Z'),
    );

  expect(report('2025-12')).toMatch(/\n\nConsent text 2025-12, shown: By continuing you agree/);
  expect(report('2025-12', false)).toMatch(
    /\n\nConsent text 2025-12, not agreed to: By continuing you agree/,
  );
  expect(report(null)).not.toMatch(/Consent text|null/);
});
