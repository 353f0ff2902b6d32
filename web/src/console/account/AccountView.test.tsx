import { screen, waitFor, within } from '@testing-library/react';
import type { AccountAnswer } from '@site/schema/calls/account';
import decodeQR from 'qr/decode.js';
import { expect, vi } from 'vitest';
import { buildLead } from '../../testing/build-console.ts';
import {
  findRow,
  findView,
  findWithin,
  haveLeads,
  showConsole,
  test,
} from '../../testing/console-test.tsx';

const ACCOUNT: AccountAnswer = {
  twoStepLogin: { isOn: false, isRequired: false, recoveryCodesLeft: 0 },
  sessions: [
    {
      id: '0190a000-0000-7000-8000-000000000001',
      startedAt: '2025-12-03T09:30:00Z',
      usedAt: '2025-12-03T09:45:00Z',
      browser: 'Firefox on Windows',
      isThis: true,
    },
  ],
  signIns: [
    {
      at: '2025-12-03T09:29:00Z',
      isFailed: true,
      isAskedAgain: false,
      browser: null,
      network: '203.0.113.9',
    },
  ],
};
const ON: AccountAnswer = {
  ...ACCOUNT,
  twoStepLogin: { isOn: true, isRequired: false, recoveryCodesLeft: 10 },
};
const KEY = {
  otpauthUri:
    'otpauth://totp/Liquidation%20Ledger:admin?secret=ABCDEFGH&issuer=Liquidation%20Ledger',
  secret: 'ABCDEFGH',
};
const PIXELS_A_MODULE = 4;
const CODES = { recoveryCodes: ['ABCD-EFGH', 'IJKL-MNOP'] };

/** Reads the QR code as a camera would see it. */
function scan(code: Element): string {
  const size = Number(code.getAttribute('viewBox')?.split(' ')[2]) * PIXELS_A_MODULE;
  const data = new Uint8Array(size * size * 4).fill(255);
  for (const [, x, y] of code.innerHTML.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let row = 0; row < PIXELS_A_MODULE; row++) {
      const start = ((Number(y) * PIXELS_A_MODULE + row) * size + Number(x) * PIXELS_A_MODULE) * 4;
      data.fill(0, start, start + PIXELS_A_MODULE * 4);
    }
  }
  return decodeQR({ width: size, height: size, data });
}

/** Returns true if the browser asks before it leaves the page. */
const isAskedOnLeaving = () =>
  !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));

const section = async (name: string) => within(await screen.findByRole('region', { name }));

test('a camera reads the app’s key, and the recovery codes stay until they are kept', async ({
  api,
  user,
}) => {
  api.answer('GET /api/admin/account', ACCOUNT);
  api.answer('POST /api/admin/account/two-step-login/start', KEY);
  api.refuse('POST /api/admin/account/two-step-login/confirm', 422, {
    detail: 'This is not the current code.',
  });
  showConsole('/admin-leads?view=account');
  const factor = await section('Two-step login');

  await user.click(await factor.findByRole('button', { name: 'Set up an authenticator app…' }));
  await user.type(factor.getByLabelText('Your password'), 'secret{Enter}');
  const code = await factor.findByLabelText('Code');
  expect(scan(factor.getByRole('img', { name: /^QR code for your authenticator app/ }))).toBe(
    KEY.otpauthUri,
  );
  await user.type(code, '000000{Enter}');
  await factor.findByText('This is not the current code.');
  api.answer('POST /api/admin/account/two-step-login/confirm', CODES);
  api.answer('GET /api/admin/account', ON);
  await user.type(factor.getByLabelText('Code'), '123456{Enter}');

  await factor.findByText('IJKL-MNOP');
  const saved = factor.getByRole('link', { name: 'Download' });
  expect(decodeURIComponent(saved.getAttribute('href') ?? '')).toContain('ABCD-EFGH\nIJKL-MNOP');

  await user.click(screen.getByRole('link', { name: 'Activity' }));
  expect(isAskedOnLeaving()).toBe(true);
  await user.click(await screen.findByRole('link', { name: 'Your account' }));
  const again = await section('Two-step login');
  again.getByText('IJKL-MNOP');
  await user.click(again.getByRole('button', { name: 'I have kept them' }));
  expect(isAskedOnLeaving()).toBe(false);
  await waitFor(() => expect(screen.queryByText('IJKL-MNOP')).toBeNull());
});

test('recovery codes are replaced only after a question, with the password', async ({
  api,
  user,
}) => {
  api.answer('GET /api/admin/account', ON);
  api.answer('POST /api/admin/account/two-step-login/recovery-codes', CODES);
  showConsole('/admin-leads?view=account');
  const factor = await section('Two-step login');

  await user.click(await factor.findByRole('button', { name: 'Replace the recovery codes…' }));
  const dialog = await findWithin('dialog', 'Replace the recovery codes?');
  dialog.getByText(/stop working/);
  await user.type(dialog.getByLabelText('Your password'), 'secret{Enter}');

  await factor.findByText('ABCD-EFGH');
  expect(screen.queryByRole('dialog')).toBeNull();
});

const isInvalid = (field: HTMLElement) => field.getAttribute('aria-invalid') === 'true';

test('a refused password is shown at its field', async ({ api, user }) => {
  api.answer('GET /api/admin/account', ACCOUNT);
  const errors = [{ field: 'newPassword', message: 'Use at least 12 characters' }];
  api.refuse('POST /api/admin/account/password', 422, { errors });
  showConsole('/admin-leads?view=account');
  const password = await section('Password');
  await user.type(password.getByLabelText('Current password'), 'old one');
  await user.type(password.getByLabelText('New password'), 'short{Enter}');
  await password.findByText('Use at least 12 characters.');
  const wrong = () =>
    ['Current', 'New'].filter((name) => isInvalid(password.getByLabelText(`${name} password`)));
  expect(wrong()).toEqual(['New']);
  api.refuse('POST /api/admin/account/password', 403, { title: 'Wrong password' });
  await user.click(password.getByRole('button', { name: 'Change password' }));
  await password.findByText('Wrong password.');
  await waitFor(() => expect(wrong()).toEqual(['Current']));
});

test('a test email is sent on request, and a refusal names the remedy', async ({ api, user }) => {
  api.answer('GET /api/admin/account', ACCOUNT);
  api.refuse('POST /api/admin/mail/test', 409, {
    detail: 'No mail server is set up. Set SMTP_URL.',
  });
  showConsole('/admin-leads?view=account');

  await user.click(await screen.findByRole('button', { name: 'Send a test email' }));
  await screen.findByText('No mail server is set up. Set SMTP_URL.');
  api.answer('POST /api/admin/mail/test', { to: ['owner@ledger.example'] });
  await user.click(screen.getByRole('button', { name: 'Send a test email' }));

  await screen.findByText('Test email sent');
  screen.getByText('To owner@ledger.example');
});

test('an operator who must set up two-step login can do nothing else', async ({ api, user }) => {
  api.answer('GET /api/admin/me', { username: 'admin', mustSetUpTwoStepLogin: true });
  api.answer('POST /api/admin/account/two-step-login/start', KEY);
  api.answer('POST /api/admin/account/two-step-login/confirm', CODES);
  showConsole('/admin-leads?formType=pre_buy');

  await findView('Set up two-step login');
  expect(api.calls('GET /api/admin/leads')).toEqual([]);
  await user.type(await screen.findByLabelText('Your password'), 'secret{Enter}');
  await user.type(await screen.findByLabelText('Code'), '123456{Enter}');
  await screen.findByText('ABCD-EFGH');
  api.answer('GET /api/admin/me', { username: 'admin' });
  await user.click(screen.getByRole('button', { name: 'I have kept them' }));

  await findView('Leads');
  expect(window.location.search).toBe('?formType=pre_buy');
});

test('calls of an untouched console are marked, so that the session can end', async ({
  api,
  user,
  stream,
}) => {
  const lead = buildLead();
  haveLeads(api, [lead]);
  showConsole();
  await findRow(lead);
  const isMarked = () => api.calls('GET /api/admin/sync').at(-1)?.headers.has('X-Background');
  expect(isMarked()).toBe(false);

  const calls = api.calls('GET /api/admin/sync').length;
  vi.setSystemTime(Date.now() + 61_000);
  stream.tell('sync');
  await waitFor(() => expect(api.calls('GET /api/admin/sync').length).toBeGreaterThan(calls));
  expect(isMarked()).toBe(true);

  await user.click(screen.getByRole('button', { name: 'Apply Filters' }));
  await waitFor(() => expect(isMarked()).toBe(false));
});

test('one other session is ended, or every session with this one', async ({ api, user }) => {
  const [mine] = ACCOUNT.sessions;
  const id = '0190a000-0000-7000-8000-000000000002';
  const other = { ...mine!, id, browser: 'Browser 2', isThis: false };
  api.answer('GET /api/admin/account', { ...ACCOUNT, sessions: [other, mine!] });
  api.answer('DELETE /api/admin/account/sessions/:id', undefined);
  api.answer('POST /api/admin/account/sign-out-everywhere', undefined);
  showConsole('/admin-leads?view=account');

  await user.click(await screen.findByRole('button', { name: 'Log out Browser 2' }));
  await waitFor(() =>
    expect(api.calls('DELETE /api/admin/account/sessions/:id')).toMatchObject([
      { url: expect.objectContaining({ pathname: `/api/admin/account/sessions/${id}` }) },
    ]),
  );
  expect(screen.getByRole('table', { name: 'Latest logins' }).textContent).toContain('Failed');
  api.refuse('GET /api/admin/me', 401);
  await user.click(screen.getByRole('button', { name: 'Log out everywhere' }));

  await screen.findByRole('heading', { name: 'Log in' });
});
