import { errorMessage } from '@site/platform/process/logged-error';
import { OFFER } from '@site/schema/offer';
import type { AppDeps } from '../../app-deps.ts';
import { recordAction } from '../../audit/audit.repository.ts';
import { problem } from '../../http/problem.ts';
import { route } from '../../http/route.ts';
import type { Route } from '../../http/route.ts';
import { renderMail } from '../../mail/mail-body.ts';
import { createMailer } from '../../mail/mailer.ts';
import { operatorOf } from '../operators/operator-session.ts';

const NOT_SET_UP = 'No mail server is set up. Set SMTP_URL, ALERT_EMAIL and MAIL_FROM.';

/** Sends a test email at once, so that the operator sees what is wrong. */
export function mailRoutes({ db, settings, newId }: Pick<AppDeps, 'db' | 'settings' | 'newId'>): Route[] {
  const mailer = createMailer(settings);
  return [
    route('POST /api/admin/mail/test', async ({ req }) => {
      if (!mailer) throw problem('mail-failed', { detail: NOT_SET_UP });
      const mail = renderMail({
        subject: 'A test email',
        name: OFFER.productName,
        heading: 'A test email',
        sections: [],
        href: `${settings.publicUrl}/admin-leads?view=money`,
        foot: 'Emails to the addresses in ALERT_EMAIL arrive.',
      });
      try {
        await mailer.send({ id: newId(), ...mail });
      } catch (cause) {
        throw problem(
          'mail-failed',
          { detail: `The mail server did not accept it: ${errorMessage(cause)}` },
          { cause },
        );
      }
      await recordAction(db, { operator: operatorOf(req), action: 'test-mail' });
    }),
  ];
}
