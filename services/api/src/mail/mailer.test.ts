import { expect, test } from 'vitest';
import { startMailServer } from '../testing/mail-server.fixture.ts';
import { createMailer } from './mailer.ts';

test('production sends mail in the clear only where ALLOW_PLAINTEXT says so', async ({
  onTestFinished,
}) => {
  const server = await startMailServer();
  onTestFinished(() => server.stop());
  const mail = { id: 'x', subject: 'x', html: 'x', plain: 'x' };
  const send = (host: string, mayBePlaintext = false) =>
    createMailer({
      isProduction: true,
      mail: {
        url: server.url.replace('127.0.0.1', host),
        to: ['owner@ledger.example'],
        from: 'c@ledger.example',
        mayBePlaintext,
      },
    })?.send(mail);

  // 0.0.0.0 is this machine too, but not one of its names that count.
  await expect(send('0.0.0.0')).rejects.toThrow(/ETLS.*SMTP_URL/);
  expect(server.mails).toEqual([]);
  await send('127.0.0.1');
  await send('0.0.0.0', true);

  expect(server.mails).toHaveLength(2);
});
