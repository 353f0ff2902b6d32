import { relative } from 'node:path';

import type { Environment } from './environment.ts';

/** What a person needs once everything runs. `migrated` is what the migration said; it names a new operator's login. */
export function toStartBlock(from: Environment, told: { migrated: string[]; hasSandbox: boolean }): string {
  const site = (from.env['PUBLIC_URL'] || `http://${from.host}:${from.ports.api}`).replace(/\/$/, '');
  const login = told.migrated.filter((line) => /^(username|password): /.test(line));
  const logs = relative(process.cwd(), `${from.dataDir}/logs`) || '.';
  return [
    '',
    'Everything is running.',
    '',
    `site:     ${site}/`,
    `admin:    ${site}/admin-leads`,
    ...(login.length > 0
      ? login
      : ['login:    as made at the first start; "npm run admin:user -- reset <name>" makes a new password']),
    ...(told.hasSandbox
      ? [`sandbox:  http://127.0.0.1:${from.ports.sandbox}/ (plays Stripe, Beehiiv and the sample site)`]
      : []),
    `logs:     ${logs}`,
    '',
    'Ctrl-C stops everything.',
  ].join('\n');
}
