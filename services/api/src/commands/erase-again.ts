import { createDatabase } from '@site/platform/database/connect';
import { query } from '@site/platform/database/query';
import { errorMessage } from '@site/platform/process/logged-error';
import { readFlags } from '@site/platform/settings/read-flags';
import { readSettings } from '@site/platform/settings/read-settings';
import { sharedSettings } from '@site/platform/settings/settings';
import { v7 as newId } from 'uuid';
import { z } from 'zod';
import { erase } from '../admin/privacy/privacy.service.ts';

const USAGE = `Erases again the people whom a restored backup brought back.
deploy/restore.sh runs it.
  docker compose run --rm --no-deps api node services/api/dist/commands/erase-again.js`;

readFlags(USAGE, {});
const settings = z.object({ DATABASE_URL: sharedSettings.shape.DATABASE_URL });
const { DATABASE_URL: url } = readSettings(settings, process.env);
const db = createDatabase({ url, maxConnections: 2, applicationName: 'erase-again' });
try {
  const people = await query<{ email: string }>(
    db,
    `select email_normalised as email
     from leads
     where id::text in (select id from erased_ids)
     union
     select email_normalised
     from subscriptions
     where stripe_subscription_id in (select id from erased_ids)
       and email_normalised is not null
     union
     select email_normalised
     from checkouts
     where (id::text in (select id from erased_ids)
         or stripe_checkout_session_id in (select id from erased_ids))
       and email_normalised is not null`,
  );
  for (const { email } of people) {
    // Somebody with several emails may be gone already.
    await erase({ db, newId }, 'restore', email).catch((error: unknown) => {
      console.error(`${email}: ${errorMessage(error)}`);
      process.exitCode = 1;
    });
  }
  console.log(`People erased again: ${people.length}.`);
} finally {
  await db.destroy();
}
