import { randomUUID } from 'node:crypto';
import { storeMail } from '@site/platform/notices/notices';
import type { Clock } from '@site/platform/process/clock';
import type { Database } from '@site/platform/database/connect';
import { formatLondonTime, formatLongDate } from '@site/schema/calendar';
import { OFFER } from '@site/schema/offer';
import type { Request } from 'express';
import { clientKey } from '../../http/client.ts';
import { readBrowser } from './browser.ts';
import type { ApiSettings } from '../../settings.ts';

/** The owner's security notices, each with advice in case no operator of theirs did it. */
const NOTICES = {
  login: [
    'Login from a new browser',
    'Change the password on the account page, which ends every other session.',
  ],
  'two-step-login-on': [
    'Two-step login was set up',
    'Ask your engineer to reset the login with the name above.',
  ],
  'recovery-codes': [
    'New recovery codes were made',
    'Change the password, and make new codes: the old ones no longer count.',
  ],
  'two-step-login-off': [
    'Two-step login was removed',
    'Log out everywhere, change the password, and set it up again.',
  ],
  'password-change': [
    'A password was changed',
    'Ask your engineer to reset the login with the name above.',
  ],
  'user-reset': [
    'An operator’s login was reset on the server',
    'Somebody else can use your server: change its access.',
  ],
  'user-add': [
    'An operator was added',
    'Remove the operator on the account page, and change your password.',
  ],
  'user-password': [
    'An operator was given a new password',
    'Remove the operator on the account page, and change your password.',
  ],
  'user-remove': [
    'An operator was removed',
    'Change your password, and add the operator again on the account page.',
  ],
  'export-leads': [
    'All leads were exported',
    'Log out everywhere and change the password. The file has been downloaded.',
  ],
  'export-people': [
    'People were exported',
    'Log out everywhere and change the password. The file has been downloaded.',
  ],
} as const;
export type Notice = keyof typeof NOTICES;

export type NoticeDeps = {
  clock: Clock;
  settings: Pick<ApiSettings, 'publicUrl'> & { mail: unknown };
};

/**
 * Stores an email to the owner about an operator's access, in the event's transaction. Stores
 * nothing without a mail server. The email holds no secrets. A missing request means that a command
 * did it. `colleague` was added,
 * removed or given a password.
 */
export async function storeNotice(
  trx: Database,
  { clock, settings: { mail, publicUrl } }: NoticeDeps,
  notice: Notice,
  username: string,
  req?: Pick<Request, 'ip' | 'get'>,
  colleague?: string,
): Promise<void> {
  if (mail === null) return;
  const [subject, advice] = NOTICES[notice];
  const row = (text: string, figure: string) => ({ text, figures: [figure] });
  const now = clock.now();
  const from = req
    ? [
        row('Browser', readBrowser(req.get('User-Agent')) ?? 'Not known'),
        row('Network', clientKey(req.ip)),
      ]
    : [];
  const body = {
    subject,
    name: OFFER.productName,
    heading: subject,
    sections: [
      {
        heading: 'What happened',
        rows: [
          row('Operator', username),
          ...(colleague === undefined ? [] : [row('Their colleague', colleague)]),
          row('Time', `${formatLongDate(now)}, ${formatLondonTime(now)} UK time`),
          ...from,
        ],
      },
      { heading: 'If this was not you or a colleague', rows: [{ text: advice }] },
    ],
    href: `${publicUrl}/admin-leads?view=account`,
    link: 'Open your account',
    foot: 'Sent to the email addresses for alerts when somebody’s access to the console changes.',
  };
  await storeMail(trx, `security ${randomUUID()}`, body);
}
