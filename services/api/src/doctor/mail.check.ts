import { error, ok, warning } from '@site/platform/doctor/findings';
import type { Finding } from '@site/platform/doctor/findings';
import { errorMessage } from '@site/platform/process/logged-error';
import { createMailer } from '../mail/mailer.ts';
import type { ApiSettings } from '../settings.ts';

/** Checks that the mail server answers and accepts the login. Sends nothing. */
export async function examineMail(
  settings: Pick<ApiSettings, 'mail' | 'isProduction'>,
): Promise<Finding[]> {
  const mailer = createMailer(settings);
  if (!mailer) {
    const remedy = 'Set SMTP_URL, ALERT_EMAIL and MAIL_FROM.';
    return [warning('email', 'no emails are sent to you', remedy)];
  }
  return mailer.verify().then(
    () => [ok('email', 'the server answers')],
    (fault: unknown) => {
      const [what = '', ...advice] = errorMessage(fault).split('. ');
      return [error('email', `the server does not accept us: ${what}`, advice.join('. '))];
    },
  );
}
