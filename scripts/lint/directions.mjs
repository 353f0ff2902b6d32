// The allowed directions of imports, type imports included. The linter enforces them; tests are
// exempt.

/**
 * The workspaces that each workspace may import. `only` also lists the packages, where few are
 * allowed.
 */
export const WORKSPACES = {
  // Runs in the browser too, so it may not use Node's modules.
  'packages/schema': { may: [], only: ['zod'] },
  'packages/platform': { may: ['schema'] },
  'packages/local-infra': { may: [] },
  'packages/testing': { may: ['platform', 'local-infra'] },
  'services/sandbox': { may: ['schema'] },
  'services/api': { may: ['platform', 'schema'] },
  'services/worker': { may: ['platform', 'schema'] },
  web: { may: ['schema'] },
};

// The layers of each folder that has subfolders, from top to bottom. A layer may import from any
// lower one. Two folders of one layer never import each other. Two files may, unless they form a
// circle. A name is a folder, or a file without its extension. `*` is every other file, and `*/`
// every other folder.
export const LAYERS = {
  'packages/schema/src': [['page-render'], ['calls'], ['funnel', 'labels'], ['*']],
  'packages/platform/src': [
    ['notices', 'doctor'],
    ['health'],
    ['outbox'],
    ['live', 'people'],
    ['database', 'redis'],
    ['process', 'settings'],
  ],
  'packages/platform/src/database': [['*'], ['connect', 'query'], ['silent-connections']],
  'packages/local-infra/src': [
    ['run-all', 'run-command'],
    ['supervisor'],
    ['embedded-postgres'],
    ['embedded-valkey', 'postgres'],
    ['valkey', '*'],
  ],
  'services/api/src': [
    ['main', 'commands'],
    ['app', 'connections'],
    ['routes'],
    ['notices'],
    ['admin', 'pages'],
    ['app-deps'],
    ['doctor', 'metrics', 'thank-you'],
    ['corrections'],
    ['checkout', 'free-access'],
    ['billing'],
    ['acts'],
    ['audit'],
    ['beehiiv', 'leads', 'mail', 'stripe', 'tracking'],
    ['openapi', 'site'],
    ['http'],
    ['settings'],
  ],
  'services/api/src/billing': [['watch'], ['inbox'], ['storing'], ['reading']],
  'services/api/src/admin': [
    ['admin.routes'],
    ['account', 'live', 'people', 'privacy', 'set-up'],
    ['comparison', 'money', 'retry', 'subscriptions'],
    ['leads'],
    ['sync'],
    ['operators'],
    ['audit'],
  ],
  'services/worker/src': [
    ['main'],
    ['commands', 'periodic-tasks', 'worker'],
    ['comparison', 'person', 'subscribers', 'worker-metrics'],
    ['doctor', 'sync'],
    ['newsletter'],
    ['retention', 'settings'],
  ],
  'services/worker/src/newsletter': [
    ['connect', 'to-new-subscriber'],
    ['beehiiv', 'field-catalog'],
    ['*'],
  ],
  'services/sandbox/src': [
    ['main'],
    ['sandbox'],
    ['sandbox-app'],
    ['control', 'overview'],
    ['beehiiv', 'stripe'],
    ['mail', 'sample-site', 'traffic'],
    ['*'],
  ],
  'services/sandbox/src/stripe': [
    ['stripe.routes'],
    ['advance', 'stripe.store'],
    ['checkout'],
    ['billing'],
    ['catalog', 'events', 'webhook-sender'],
    ['wire'],
  ],
  'web/src': [
    ['entry-server', 'main', 'console-main'],
    ['routes', 'server'],
    ['console', 'pages'],
    ['subscribe'],
    ['site'],
    ['analytics'],
    ['ui', 'styles', '*'],
  ],
  'web/src/pages': [['*/']],
  'web/src/console/person': [
    ['*'],
    ['dialogs'],
    ['Payments', 'checkout-email', 'verdict', 'labels', 'use-invoice-link'],
  ],
  'web/src/console': [
    ['Console'],
    ['frame', 'search'],
    ['leads', 'people'],
    ['account', 'overview'],
    ['money', 'sync'],
    ['comparison'],
    ['person'],
    ['activity', 'retry', 'set-up'],
    ['lead'],
    ['session'],
    ['shared'],
    ['api', 'navigation'],
  ],
};
