// The allowed directions of imports, type imports included. The linter enforces them; tests are exempt.

/** The workspaces that each workspace may import. `only` also lists the packages, where few are allowed. */
export const WORKSPACES = {
  // Runs in the browser too, so it may not use Node's modules.
  'packages/schema': { may: [], only: ['zod'] },
  'packages/platform': { may: ['schema'] },
  'packages/local-infra': { may: [] },
  'packages/testing': { may: ['platform', 'local-infra', 'sandbox'] },
  'services/sandbox': { may: ['schema'] },
  'services/api': { may: ['platform', 'schema'] },
  'services/worker': { may: ['platform', 'schema'] },
  web: { may: ['schema'] },
};

// The layers of each folder that has subfolders, from top to bottom. A layer may import from any lower one. Two folders
// of one layer never import each other. Two files may, if they form no circle.
// A name is a folder, or a file without its extension. `*` is every other file, and `*/` every other folder.
export const LAYERS = {
  'packages/platform/src': [
    ['health-checks', 'sync-metrics'],
    ['doctor', 'lifecycle', 'live-changes', 'money-health', 'outbox', 'redis'],
    ['sync-health'],
    ['database', '*'],
  ],
  'packages/platform/src/database': [['*'], ['migrations'], ['connect', 'query']],
  'packages/local-infra/src': [
    ['run-all', 'run-command'],
    ['supervisor'],
    ['embedded-postgres'],
    ['embedded-valkey', 'postgres'],
    ['valkey', '*'],
  ],
  'services/api/src': [
    ['main', 'commands'],
    ['app'],
    ['admin'],
    ['app-deps'],
    ['checkout', 'doctor', 'metrics', 'stripe-watch'],
    ['webhook'],
    ['subscriptions'],
    ['leads', 'stripe', 'tracking'],
    ['openapi', 'site'],
    ['http'],
    ['settings'],
  ],
  'services/api/src/admin': [
    ['admin.routes'],
    ['account', 'charts', 'live', 'privacy'],
    ['differences', 'money', 'retry', 'subscriptions'],
    ['leads'],
    ['sync'],
    ['operators'],
    ['audit'],
  ],
  'services/worker/src': [
    ['main'],
    ['commands', 'periodic-tasks', 'worker'],
    ['erasure', 'metrics', 'reconcile', 'tiers', 'unsubscribe'],
    ['doctor', 'refresh', 'sync'],
    ['newsletter'],
    ['alerts', 'retention', 'retry-runs', 'sync-health'],
    ['run-exclusively', 'settings'],
  ],
  'services/worker/src/newsletter': [['connect', 'to-new-subscriber'], ['beehiiv', 'field-catalog'], ['*']],
  'services/sandbox/src': [
    ['main'],
    ['sandbox'],
    ['sandbox-app'],
    ['control', 'overview'],
    ['beehiiv', 'stripe'],
    ['sample-site', 'traffic'],
    ['*'],
  ],
  'services/sandbox/src/stripe': [
    ['stripe.routes'],
    ['advance', 'stripe.store'],
    ['checkout'],
    ['billing'],
    ['catalog', 'events'],
    ['wire'],
  ],
  'web/src': [
    ['entry-server', 'main'],
    ['routes', 'server'],
    ['pages'],
    ['subscribe'],
    ['site'],
    ['analytics'],
    ['ui', 'styles', '*'],
  ],
  'web/src/pages': [['*/']],
  'web/src/pages/admin-leads': [
    ['RoutedConsole'],
    ['AdminLeadsPage'],
    ['Console'],
    ['frame'],
    ['list'],
    ['account', 'activity', 'charts', 'counters', 'drawer', 'privacy'],
    ['money', 'sync'],
    ['retry'],
    ['filters'],
    ['lead'],
    ['live'],
    ['keyboard', 'session'],
    ['elements'],
    ['api', 'focus', 'navigation', 'time'],
  ],
};
