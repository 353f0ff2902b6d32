import { relative } from 'node:path';

import type { Environment } from './environment.ts';

/** The text shown once everything runs. `migrated` is the migration's output, which names a new operator's login. */
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
      : ['login:    from the first start; "npm run admin:user -- reset <name>" sets a new password']),
    ...(told.hasSandbox
      ? [`sandbox:  http://127.0.0.1:${from.ports.sandbox}/ (simulates Stripe, Beehiiv and the sample site)`]
      : []),
    `logs:     ${logs}`,
    '',
    'Ctrl-C stops everything.',
  ].join('\n');
}
