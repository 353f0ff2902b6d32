import { expect } from 'vitest';
import { createMailer } from '../../mail/mailer.ts';
import { test } from '../../testing/api.fixture.ts';
import { startMailServer } from '../../testing/mail-server.fixture.ts';

test('POST /api/admin/mail/test sends a mail at once, or answers with the failure', async ({
  newApi,
  db,
  onTestFinished,
}) => {
  const server = await startMailServer();
  onTestFinished(() => server.stop());
  const api = await newApi({ SMTP_URL: server.url, ALERT_EMAIL: 'owner@ledger.example' });
  const headers = await api.logIn();
  const send = () => api.call('POST', '/api/admin/mail/test', { headers });

  const sent = await send();
  server.behaviour.refuses = true;
  const refused = await send();
  const anonymous = await api.call('POST', '/api/admin/mail/test');

  expect(sent).toMatchObject({ status: 200, json: { to: ['owner@ledger.example'] } });
  expect(server.mails).toMatchObject([{ to: ['owner@ledger.example'], subject: 'A test email' }]);
  expect(refused).toMatchObject({ status: 409, json: { type: 'urn:problem:mail-failed' } });
  expect(refused.json.detail).toMatch(
    /^The mail server did not accept it: 550 .*MAIL_FROM and ALERT_EMAIL\.$/,
  );
  expect(refused.text).not.toContain('secret@');
  expect(anonymous.status).toBe(401);
  expect(await db('operator_actions').where({ action: 'test-mail' })).toHaveLength(1);
});

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

  // 0.0.0.0 is this machine too, but not by a name that counts as such.
  await expect(send('0.0.0.0')).rejects.toThrow(/ETLS.*SMTP_URL/);
  expect(server.mails).toEqual([]);
  await send('127.0.0.1');

  expect(server.mails).toHaveLength(1);
});
