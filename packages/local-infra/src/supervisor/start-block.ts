import { relative } from 'node:path';

import type { Environment } from './environment.ts';

/**
 * The text shown once everything runs. `login` is the first operator's, if it was not shown yet.
 */
export function toStartBlock(
  from: Environment,
  told: { login: string | undefined; hasSandbox: boolean },
): string {
  const site = (from.env['PUBLIC_URL'] || `http://${from.host}:${from.ports.api}`).replace(
    /\/$/,
    '',
  );
  const logs = relative(process.cwd(), `${from.dataDir}/logs`) || '.';
  return [
    '',
    'Everything is running.',
    '',
    `site:     ${site}/`,
    `admin:    ${site}/admin-leads`,
    told.login ??
      'login:    from the first start; "npm run admin:user -- reset <name>" sets a new password',
    ...(told.hasSandbox
      ? [
          `sandbox:  http://127.0.0.1:${from.ports.sandbox}/ (simulates Stripe, Beehiiv and the sample site)`,
        ]
      : []),
    `logs:     ${logs}`,
    '',
    'Ctrl-C stops everything.',
  ].join('\n');
}
