import { CONSENT_TEXTS } from '@site/schema/consent';
import { DEFAULT_SITE_SETTINGS } from '@site/schema/site-settings';
import { provideSiteSettings } from '../site-settings.ts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { UserEvent } from '@testing-library/user-event';
import { buildFormValues, FORM_FIELD_NAMES, FORM_FIELDS } from '@site/schema/form-fields';
import type { FormField, FormValues } from '@site/schema/form-fields';
import { describe, expect, vi } from 'vitest';
import { show, test } from '../testing/component-test.tsx';
import { LEAD_WAIT_MS } from '@site/schema/subscribe-lead';
import { SubscribeButton } from './SubscribeButton.tsx';
import { SubscribeProvider } from './SubscribeProvider.tsx';

const LEAD = { id: '8d9c1f4e-2b71-4c4c-9f0e-1d6f3f1c2a10', beehiivStatus: 'pending' } as const;
const CHECKOUT_URL = 'https://checkout.example/c/pay/cs_1';
/** A value in every field of the form. */
const VALUES: FormValues = {
  ...buildFormValues((name) => `my ${name}`),
  fullName: 'Priya Raman',
  email: 'priya@northgate.example',
};

function showButtons(address?: string): void {
  show(
    <SubscribeProvider>
      <SubscribeButton from="nav_sub">Subscribe Now</SubscribeButton>
      <SubscribeButton from="top_sub">Subscribe at the top</SubscribeButton>
    </SubscribeProvider>,
    address,
  );
}

const RETURNED =
  'You came back from Stripe without paying.Nothing was charged. Questions? Contact support.';
const button = (name: string) => screen.getByRole('button', { name });
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const described = (name: string, description: string) =>
  screen.getByRole('textbox', { name, description });
const told = () =>
  document.getElementById(field('Email Address').getAttribute('aria-describedby') ?? '')
    ?.textContent;
const submit = () => screen.getByRole('button', { name: /Continue to checkout|Processing/ });
async function dialog(): Promise<HTMLElement> {
  const shown = await screen.findByRole('dialog', { name: 'Subscribe to Liquidation Ledger' });
  // The toast accepts the pointer a render after it appears.
  await waitFor(() => expect(shown.style.pointerEvents).toBe('auto'));
  return shown;
}

async function open(user: UserEvent, name = 'Subscribe Now'): Promise<void> {
  await user.click(button(name));
  await dialog();
}

const labelOf = (name: FormField): string => {
  const { label, ...input } = FORM_FIELDS[name].input;
  return 'note' in input ? `${label} ${input.note}` : label;
};

async function fill(user: UserEvent, values: Partial<FormValues> = VALUES): Promise<void> {
  for (const name of FORM_FIELD_NAMES) {
    const value = values[name];
    if (value) await user.type(field(labelOf(name)), value);
  }
}

function expectFilled(): void {
  const shown = buildFormValues((name) => field(labelOf(name)).value);
  expect(shown).toEqual(VALUES);
}

describe('the subscribe form', () => {
  test('an invalid form is not sent, shows errors beside fields and focuses the first', async ({
    user,
  }) => {
    showButtons();
    await open(user);

    await user.click(submit());

    await waitFor(() =>
      expect(document.activeElement).toBe(described('Full Name', 'Enter your name')),
    );
    expect(described('Email Address', 'Enter an email address').getAttribute('aria-invalid')).toBe(
      'true',
    );

    await fill(user, { fullName: VALUES.fullName, email: 'priya@northgate' });
    await user.click(submit());

    await waitFor(() =>
      expect(document.activeElement).toBe(
        described('Email Address', 'Invalid email. It needs an ending, as in name@company.co.uk'),
      ),
    );
    expect(field('Full Name').getAttribute('aria-invalid')).toBeNull();

    await user.type(field('Email Address'), '.example');
    await waitFor(() => expect(field('Email Address').getAttribute('aria-invalid')).toBeNull());
  });

  test('a slip in a common domain is pointed out, and corrected on a click', async ({ user }) => {
    showButtons();
    await open(user);
    await fill(user, { email: 'priya@gmial.com' });
    await user.tab();

    await user.click(await screen.findByRole('button', { name: 'priya@gmail.com' }));

    expect(field('Email Address').value).toBe('priya@gmail.com');
    expect(screen.queryByText(/Did you mean/)).toBeNull();
  });

  test('invisible characters are pointed out, and do not hold the order up', async ({
    user,
    api,
  }) => {
    api.answer('POST /api/lead/subscribe', LEAD);
    api.hang('POST /api/checkout/session');
    showButtons();
    await open(user);
    await fill(user, { fullName: VALUES.fullName, email: 'pri\u200Bya@northgate.example' });
    await user.tab();
    expect(told()).toBe('Did you mean priya@northgate.example?');

    await user.click(button('Continue to checkout'));

    await waitFor(() => expect(api.calls('POST /api/lead/subscribe')).toHaveLength(1));
  });

  test('a closed form keeps its values, and returns the focus to its button', async ({ user }) => {
    showButtons();
    await open(user, 'Subscribe at the top');
    await fill(user);

    await user.keyboard('{Escape}');

    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.activeElement).toBe(button('Subscribe at the top'));
    await open(user);
    expectFilled();

    // Without the style sheet, nothing around the dialog accepts the pointer.
    fireEvent.pointerDown(document.body);
    fireEvent.click(document.body);

    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(document.activeElement).toBe(button('Subscribe Now'));
    await open(user, 'Subscribe at the top');
    expectFilled();
  });

  test('the form opens empty after an unfinished checkout without a draft here', async () => {
    showButtons('/?checkout=cancelled#subscribe');
    await dialog();
    await waitFor(() => expect(document.activeElement?.textContent).toBe(RETURNED));
  });
});

describe('the browser’s Back button on Stripe', () => {
  test.beforeEach(({ api }) => {
    api.answer('POST /api/lead/subscribe', LEAD);
    api.answer('POST /api/checkout/session', { url: CHECKOUT_URL });
  });

  test('a visitor finds the page as they left it, with a note that nothing was charged', async ({
    user,
    assign,
  }) => {
    showButtons();
    await open(user);
    await fill(user);
    await user.click(submit());
    await waitFor(() => expect(assign).toHaveBeenCalled());

    fireEvent(window, Object.assign(new Event('pageshow'), { persisted: true }));

    await waitFor(() => expect(document.activeElement?.textContent).toBe(RETURNED));
    expect(submit().textContent).toBe('Continue to checkout');
    expectFilled();
  });
});

describe('sending the subscribe form', () => {
  test.beforeEach(({ api }) => {
    api.answer('POST /api/lead/subscribe', LEAD);
    api.answer('POST /api/checkout/session', { url: CHECKOUT_URL });
  });

  test('closing the form while it is sending stays on the page', async ({ api, user, assign }) => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    api.answer('POST /api/checkout/session', { url: CHECKOUT_URL });
    api.hang('POST /api/lead/subscribe');
    showButtons();
    await open(user);
    await fill(user);
    await user.click(submit());
    await screen.findByText('Please wait, the checkout is being opened.');

    await user.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await act(async () => vi.advanceTimersByTimeAsync(LEAD_WAIT_MS));
    await waitFor(() => expect(api.calls('POST /api/checkout/session')).toHaveLength(1));
    await open(user);
    await waitFor(() => expect(submit().textContent).toContain('Continue to checkout'));
    expect(assign).not.toHaveBeenCalled();
    expectFilled();

    api.answer('POST /api/lead/subscribe', LEAD);
    await user.click(submit());
    await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith(CHECKOUT_URL));
  });

  test('a failure shows a toast, and the form keeps its values and can be sent again', async ({
    api,
    user,
    assign,
    logged,
  }) => {
    api.refuse('POST /api/checkout/session', 503);
    showButtons();
    await open(user);
    await fill(user);

    await user.click(submit());

    const toast = (await screen.findByText('Subscription failed')).closest('li')!;
    within(toast).getByText('Please try again or contact support.');
    const stays = document.activeElement as HTMLElement;
    expect(stays.textContent).toMatch(
      /^The payment page did not open\.Nothing was charged\. We have the details that you sent\. Try again, or write to /,
    );
    expect(within(stays).getByRole('link').getAttribute('href')).toMatch(/^mailto:/);
    expect(submit().textContent).not.toContain('Processing...');
    expectFilled();
    expect(logged).toHaveBeenCalledExactlyOnceWith(
      'The checkout could not be opened',
      expect.any(Error),
    );

    api.answer('POST /api/checkout/session', { url: CHECKOUT_URL });
    await user.click(submit());
    await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith(CHECKOUT_URL));
    expect(screen.queryByText(/Nothing was charged/)).toBeNull();
    await waitFor(() => expect(screen.queryByText('Subscription failed')).toBeNull());
  });

  test.for([
    [null, null, '2025-12', []],
    ['https://owner.example/privacy', null, '2026-11-privacy', ['privacy notice']],
    [null, 'https://owner.example/terms', '2026-11-terms', ['terms']],
    [
      'https://owner.example/privacy',
      'https://owner.example/terms',
      '2026-11',
      ['privacy notice', 'terms'],
    ],
  ] as const)(
    'with the pages %s and %s, consent %s is shown with its links, and sent',
    async (given, { api, user }) => {
      const [privacyUrl, termsUrl, version, links] = given;
      provideSiteSettings({ ...DEFAULT_SITE_SETTINGS, privacyUrl, termsUrl });
      showButtons();
      await open(user);

      const consent = screen.getByText(/^By continuing you agree/);
      expect(consent.textContent).toBe(CONSENT_TEXTS[version]);
      expect(
        within(consent)
          .queryAllByRole('link')
          .map(({ textContent }) => textContent),
      ).toEqual(links);
      await fill(user);
      await user.click(submit());
      await waitFor(() => expect(api.calls('POST /api/lead/subscribe')).toHaveLength(1));
      expect(api.calls('POST /api/lead/subscribe')[0]?.body).toMatchObject({
        consentTextVersion: version,
      });
    },
  );

  test('the email field shows that the payment page refuses the email', async ({
    api,
    user,
    assign,
  }) => {
    const message = 'The payment page does not accept this address';
    api.refuse('POST /api/checkout/session', 422, { errors: [{ field: 'email', message }] });
    showButtons();
    await open(user);
    await fill(user);

    await user.click(submit());

    await screen.findByText(message);
    expect(document.activeElement).toBe(screen.getByLabelText(/email/i));
    expect(assign).not.toHaveBeenCalled();
  });
});
