import { createTransport } from 'nodemailer';
import { expect, test } from 'vitest';
import { startSandbox } from '../testing/fixtures.ts';

test('an email is caught, listed on the overview page, and can be read there', async () => {
  const sandbox = await startSandbox({ smtpPort: 0 });
  const transport = createTransport(sandbox.smtpUrl ?? '');
  const send = (subject: string) =>
    transport.sendMail({
      from: 'console@ledger.example',
      to: 'owner@ledger.example',
      subject,
      text: 'x',
      html: `<title>${subject}</title><h1>£1 & more</h1>`,
      textEncoding: 'base64',
    });

  await send('8 to 14 December: £2,318.30 in');
  await send('Plain');

  const page = await (await fetch(sandbox.url)).text();
  expect(page).toContain('owner@ledger.example');
  expect(page).toContain('8 to 14 December: £2,318.30 in');
  const [newest] = /\/mail\/\d+/.exec(page) ?? [];
  expect(newest).toBe('/mail/2');
  expect(await (await fetch(`${sandbox.url}/mail/1`)).text()).toContain('<h1>£1 & more</h1>');
  expect((await fetch(`${sandbox.url}/mail/9`)).status).toBe(404);
});

test('a sandbox whose port for email is taken works without email', async () => {
  const first = await startSandbox({ smtpPort: 0 });

  const second = await startSandbox({ smtpPort: Number(new URL(first.smtpUrl ?? '').port) });

  expect(second.smtpUrl).toBeNull();
  expect((await fetch(second.url)).status).toBe(200);
});
