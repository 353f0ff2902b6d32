import { expect, chromium as playwright } from '@playwright/test';
import { findFreePort } from '@site/local-infra/free-port';
import chromium from '@sparticuz/chromium';
import lighthouse from 'lighthouse';

import { test } from './support/system.fixture.ts';

const GOAL = 98;

test('Lighthouse gives the landing page full marks on a phone, except for its speed', async ({
  system,
  launchOptions,
}) => {
  test.setTimeout(120_000);
  const port = await findFreePort();
  const browser = await playwright.launch({
    executablePath: await chromium.executablePath(),
    args: [...(launchOptions.args ?? []), `--remote-debugging-port=${port}`],
  });
  const result = await lighthouse(`${system.siteUrl}/`, {
    port,
    logLevel: 'error',
    output: 'json',
  });
  await browser.close();

  const { categories, audits } = result!.lhr;
  const score = (id: string) => Math.round((categories[id]?.score ?? 0) * 100);
  const speed = score('performance');
  // A shared machine is too noisy to enforce this figure.
  const timings = [
    'first-contentful-paint',
    'largest-contentful-paint',
    'total-blocking-time',
    'speed-index',
  ].map((id) => `${id} ${audits[id]?.displayValue}`);
  console.log(
    `Lighthouse ${result!.lhr.lighthouseVersion}, mobile: performance ${speed} (goal ${GOAL}); ${timings.join(', ')}`,
  );
  const failed = Object.values(categories).flatMap(({ id, auditRefs }) =>
    auditRefs
      .filter((ref) => id !== 'performance' && ref.weight > 0 && (audits[ref.id]?.score ?? 1) < 1)
      .map((ref) => `${id}: ${ref.id}: ${JSON.stringify(audits[ref.id]?.details).slice(0, 600)}`),
  );
  expect(failed).toEqual([]);
  expect([score('accessibility'), score('best-practices'), score('seo')]).toEqual([100, 100, 100]);
});
