import { expect, test } from 'vitest';
import { startMailServer } from '../testing/mail-server.fixture.ts';
import { createMailer } from './mailer.ts';

test('production sends nothing over a network in the clear', async ({ onTestFinished }) => {
  const server = await startMailServer();
  onTestFinished(() => server.stop());
  const mail = { id: 'x', subject: 'x', html: 'x', plain: 'x' };
  const send = (host: string) =>
    createMailer({
      isProduction: true,
      mail: {
        url: server.url.replace('127.0.0.1', host),
        to: ['owner@ledger.example'],
        from: 'c@ledger.example',
      },
    })?.send(mail);

  // 0.0.0.0 is this machine too, but not one of its names that count.
  await expect(send('0.0.0.0')).rejects.toThrow(/ETLS.*SMTP_URL/);
  expect(server.mails).toEqual([]);
  await send('127.0.0.1');

  expect(server.mails).toHaveLength(1);
});
