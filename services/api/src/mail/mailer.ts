import { withTimeout } from '@site/platform/process/with-timeout';
import { createTransport } from 'nodemailer';
import type { ApiSettings } from '../settings.ts';

type Mail = { id: string; subject: string; html: string; plain: string };

export type Mailer = {
  /** Sends a mail. Rejects with the failure and its remedy, without personal data. */
  send: (mail: Mail) => Promise<void>;
  /** Tries the connection and the login. Rejects as `send` does. */
  verify: () => Promise<void>;
};

const STEP_TIMEOUT_MS = 10_000;
/** The limit for all steps together, shorter than a mail's claim. */
const TIMEOUT_MS = 60_000;

/**
 * Creates the connection to the mail server, or returns null without a server. A mail's id makes a
 * repeat recognisable.
 */
export function createMailer(
  settings: Pick<ApiSettings, 'mail' | 'isProduction'>,
  timeoutMs = TIMEOUT_MS,
): Mailer | null {
  if (settings.mail === null) return null;
  const { url, to, from, mayBePlaintext } = settings.mail;
  const { hostname } = new URL(url);
  const stepMs = Math.min(STEP_TIMEOUT_MS, timeoutMs);
  const transport = createTransport({
    url,
    // A mail names people, so it must be encrypted on the network, except by ALLOW_PLAINTEXT.
    requireTLS:
      settings.isProduction && !mayBePlaintext && !/^(?:localhost|127\.|\[::1\])/.test(hostname),
    connectionTimeout: stepMs,
    greetingTimeout: stepMs,
    socketTimeout: stepMs,
    dnsTimeout: stepMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const tryTo = (work: () => Promise<unknown>) =>
    withTimeout(timeoutMs, work).then(
      () => undefined,
      (error: unknown) => Promise.reject(new Error(toMailErrorText(error))),
    );
  return {
    send({ id, subject, html, plain }) {
      const messageId = `<${id}@${from.split('@').at(-1)?.replace('>', '')}>`;
      const mail = {
        from,
        to,
        subject,
        html,
        text: plain,
        messageId,
        textEncoding: 'base64',
      } as const;
      return tryTo(() => transport.sendMail(mail));
    },
    verify: () => tryTo(() => transport.verify()),
  };
}

/** Returns a failure and its remedy, without the server's message, which quotes emails. */
function toMailErrorText(error: unknown): string {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  const what =
    [responseCode, code].filter((part) => part !== undefined).join(' ') || 'no answer in time';
  if (code === 'EAUTH') return `${what}. Check the user name and the password in SMTP_URL.`;
  if (code === 'ETLS')
    return `${what}. Emails name people: use smtps://, or a port with STARTTLS, in SMTP_URL.`;
  if (responseCode !== undefined)
    return `${what}. Check that the server accepts MAIL_FROM and ALERT_EMAIL.`;
  return `${what}. Check the host and the port in SMTP_URL, and that this machine may reach them.`;
}
