import { expect } from '@playwright/test';
import type { LeadDetailAnswer } from '@site/schema/calls/leads';
import { CURRENT_CONSENT_VERSION } from '@site/schema/consent';
import { FORM_FIELDS } from '@site/schema/form-fields';
import { listLeadFields } from '@site/schema/lead-fields';
import type { FormField } from '@site/schema/form-fields';
import type { LeadValuesFrom } from '@site/schema/lead';

import { onStripe } from './support/stripe-page.ts';
import { openSubscribeForm } from './support/subscribe-form.ts';
import { test, THIRD_PARTY } from './support/third-party.fixture.ts';
import { newVisitor } from './support/visitor.ts';

/*
 * One lead with a value in every field, from the dialog to every place that shows it. A field that
 * a place forgets fails here. A new field from the browser needs a line in `browser` below, or this
 * does not compile.
 */
test('every field of the dialog reaches row, Beehiiv, drawer, CSV and export', async ({
  page,
  operator,
  operatorPage,
  sandbox,
  faults,
}) => {
  faults.expect(THIRD_PARTY);
  const { email } = newVisitor();
  const typed = Object.fromEntries(
    Object.keys(FORM_FIELDS).map((field) => [field, field === 'email' ? email : `my ${field}`]),
  ) as Record<FormField, string>;
  const browser: Omit<LeadValuesFrom<'browser'>, 'message'> = {
    formType: 'pre_buy',
    consentMarketing: true,
    consentTextVersion: CURRENT_CONSENT_VERSION,
    utmSource: 'top_sub',
    utmMedium: 'cpc',
    utmCampaign: 'hero_subscription',
    utmTerm: 'insolvency',
    utmContent: 'blue',
    gclid: 'g-2',
    fbclid: 'f-2',
    ttclid: 't-2',
    landingPage: expect.stringContaining('utm_source=advert') as unknown as string,
    firstPage: expect.stringContaining('utm_source=news') as unknown as string,
    referrer: 'https://partner.example/',
    sessionId: expect.stringMatching(/.{10}/) as unknown as string,
    gaClientId: '123456789.1700000000',
    visitUtmSource: 'advert',
    visitUtmMedium: 'cpc',
    visitUtmCampaign: 'autumn',
    visitUtmTerm: 'insolvency',
    visitUtmContent: 'blue',
    firstUtmSource: 'news',
    firstUtmMedium: 'email',
    firstUtmCampaign: 'spring',
    firstUtmTerm: 'leads',
    firstUtmContent: 'red',
  };
  const expected = { ...typed, ...browser };
  const utm = (parts: string[]) =>
    ['source', 'medium', 'campaign', 'term', 'content']
      .map((part, n) => `utm_${part}=${parts[n]}`)
      .join('&');

  await page.goto(`/?${utm(['news', 'email', 'spring', 'leads', 'red'])}`);
  await page.getByRole('button', { name: 'Accept' }).click();
  await expect(page.locator('#chat')).toBeVisible();
  await page.evaluate(() => sessionStorage.clear());
  await page.goto(
    `/?${utm(['advert', 'cpc', 'autumn', 'insolvency', 'blue'])}&gclid=g-2&fbclid=f-2&ttclid=t-2`,
    {
      referer: 'https://partner.example/',
    },
  );
  const form = await openSubscribeForm(page, 'top_sub');
  for (const [field, value] of Object.entries(typed)) {
    const { label, ...input } = FORM_FIELDS[field as FormField].input;
    const name = 'note' in input ? `${label} ${input.note}` : label;
    await form.dialog.getByLabel(name, { exact: true }).fill(value);
  }
  await form.takeTime();
  await form.submit.click();
  await onStripe(page);
  const { id } = await operator.untilLeadIs(email, 'sent');
  // Beehiiv validates a new email, and sends an event.
  const status = async () => (await operator.leadsOf(email))[0]?.subscriberStatus;
  await expect.poll(status).toBe('active');
  const answer = await operatorPage.request.get(`/api/admin/leads/${id}`);
  const { lead } = (await answer.json()) as LeadDetailAnswer;

  expect(lead).toMatchObject(expected);

  const subscriber = await sandbox.subscriber(email);
  const sent = Object.fromEntries(
    subscriber!.custom_fields.map(({ name, value }) => [name, value]),
  );
  const custom = listLeadFields().flatMap(({ name, beehiiv }) =>
    beehiiv === undefined ? [] : [[beehiiv, lead[name]]],
  );
  expect(sent).toEqual(Object.fromEntries(custom));
  expect(subscriber).toMatchObject({ utm_source: 'top_sub', utm_campaign: 'hero_subscription' });

  await operatorPage.goto(`/admin-leads?lead=${lead.id}`);
  const drawer = operatorPage.getByRole('dialog');
  await drawer.getByText('All fields', { exact: true }).click();
  for (const { name, label } of listLeadFields()) {
    const value = lead[name];
    if (value === null || value === '') continue;
    const fact = drawer
      .locator('dl > div')
      .filter({ has: operatorPage.getByText(label, { exact: true }) });
    const isInstant = typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value);
    const shown = isInstant ? value.slice(0, 4) : String(value);
    await expect(fact.filter({ hasText: shown }).first(), name).toBeVisible();
  }

  const csv = await operatorPage.request.get('/api/admin/leads/export/csv', {
    params: { search: email },
  });
  const exported = await operatorPage.request.post('/api/admin/people/export', { data: { email } });
  const { tables } = (await exported.json()) as { tables: { leads: Record<string, unknown>[] } };
  expect(tables.leads).toMatchObject([expected]);
  const text = await csv.text();
  for (const [name, value] of Object.entries(lead)) {
    if (typeof value !== 'string') continue;
    // The file has microseconds, without zeros at the end.
    const cell = /^\d{4}-.*Z$/.test(value) ? value.replace(/\.?0*Z$/, '') : value;
    expect(text, name).toContain(cell.replaceAll('"', '""'));
  }
});
