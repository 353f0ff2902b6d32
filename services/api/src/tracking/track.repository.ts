import type { Database } from '@site/platform/database/connect';
import type { Row } from '@site/platform/database/tables';

export async function storeTrackedEvent(
  db: Database,
  event: Pick<Row<'tracked_events'>, 'event' | 'page'>,
): Promise<void> {
  await db('tracked_events').insert(event);
}
