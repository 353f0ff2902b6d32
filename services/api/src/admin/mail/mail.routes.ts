import { errorMessage } from '@site/platform/process/logged-error';
import type { AppDeps } from '../../app-deps.ts';
import { recordAction } from '../../audit/audit.repository.ts';
import { problem } from '../../http/problem.ts';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { createMailer } from '../../mail/mailer.ts';
import { operatorOf } from '../operators/operator-session.ts';

const TEXT = 'Emails about what needs attention arrive at this email address.';
const TEST = {
  subject: 'A test email',
  html: `<title>A test email</title><p>${TEXT}</p>`,
  plain: TEXT,
};
const NOT_SET_UP = 'No mail server is set up. Set SMTP_URL, ALERT_EMAIL and MAIL_FROM.';

/** Sends a test email at once, and answers with the fault if it fails. */
export function mailRoutes({
  db,
  settings,
  newId,
}: Pick<AppDeps, 'db' | 'settings' | 'newId'>): Route[] {
  const mailer = createMailer(settings);
  return [
    route('POST /api/admin/mail/test', async ({ req }) => {
      if (!mailer) throw problem('mail-failed', { detail: NOT_SET_UP });
      try {
        await mailer.send({ id: newId(), ...TEST });
      } catch (cause) {
        throw problem(
          'mail-failed',
          { detail: `The mail server did not accept it: ${errorMessage(cause)}` },
          { cause },
        );
      }
      await recordAction(db, { operator: operatorOf(req), action: 'test-mail' });
      return { to: settings.mail?.to ?? [] };
    }),
  ];
}
