import { buildFormValues } from '@site/schema/form-fields';
import type { PlainForm } from '@site/schema/page-render';
import { DEFAULT_SITE_SETTINGS } from '@site/schema/site-settings';
import { render, screen, waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import { renderPage } from '../../entry-server.tsx';
import { SiteRoutes } from '../../routes.tsx';
import { test } from '../../testing/component-test.tsx';

const FORM: PlainForm = {
  from: 'top_sub',
  values: buildFormValues(() => ''),
  errors: {},
  notice: null,
  intentId: 'intent-1',
  landingPage: 'https://site.example/?utm_source=news',
};

/** Shows the server's answer, before scripts. Returns a function that runs them. */
async function showAnswer(changes: Partial<PlainForm>): Promise<() => void> {
  const form = { ...FORM, ...changes };
  const site = DEFAULT_SITE_SETTINGS;
  window.history.replaceState(null, '', '/subscribe');
  const { body } = await renderPage({ path: '/subscribe', site, now: new Date(), form });
  const container = document.body.appendChild(document.createElement('div'));
  container.innerHTML = body;
  return () => void render(<SiteRoutes form={form} />, { container, hydrate: true });
}

const typed = (email: string) => ({ ...FORM.values, email });

test('a refusal is shown beside the button', async () => {
  const title = 'The payment page cannot be reached right now.';
  const detail = 'Please try again or contact support.';
  await showAnswer({ notice: { kind: 'stripe-unavailable', title, detail } });

  screen.getByText(title);
  expect(screen.getByRole('link', { name: 'contact support' }).parentElement?.textContent).toBe(
    'Please try again or contact support. Your details are still in the form.',
  );
});

test('late scripts change nothing, and the browser posts the fields', async ({ logged }) => {
  const bringScripts = await showAnswer({ values: typed('ivy') });
  const name = screen.getByLabelText<HTMLInputElement>('Full Name');
  name.value = 'Ivy';
  name.focus();

  bringScripts();

  await waitFor(() => expect(Object.keys(name).join()).toContain('__react'));
  expect(document.activeElement).toBe(name);
  const form = name.form!;
  expect([form.method, form.getAttribute('action')]).toEqual(['post', '/subscribe']);
  expect(Object.fromEntries(new FormData(form))).toEqual({
    fullName: 'Ivy',
    email: 'ivy',
    company: '',
    phone: '',
    website: '',
    from: 'top_sub',
    intentId: 'intent-1',
    landingPage: FORM.landingPage,
    consentTextVersion: '2025-12',
  });
  expect(logged.mock.calls).toEqual([]);
});
