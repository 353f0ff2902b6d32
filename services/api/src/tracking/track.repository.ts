import type { Database } from '@site/platform/database/connect';

export const storeTrackedEvent = (db: Database, event: { event: string; page: string }) =>
  db('tracked_events').insert(event);
