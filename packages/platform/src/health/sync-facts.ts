import type { ConditionKind, SyncState } from '@site/schema/conditions';
import type { Database } from '../database/connect.ts';
import { findMissingMigrations } from '../database/migrate.ts';
import { query } from '../database/query.ts';
import { shareReading } from '../process/metrics.ts';
import type { SyncQueue } from '../outbox/sync-queue.ts';
import { byGravity, findConditions, toState } from './sync-conditions.ts';
import type { Condition } from './sync-conditions.ts';
import { readSyncFacts } from './read-sync-facts.ts';
import type { SyncFacts } from './read-sync-facts.ts';
import { withTimeout } from '../process/with-timeout.ts';

/*
 * Reads the sync's state: whether Postgres and Redis work, and the facts of `read-sync-facts.ts`.
 */

export type Failure = { kind: ConditionKind; text: string };

/** `facts` is null if Postgres cannot be read. */
export type SyncReading = { state: SyncState; conditions: Condition[]; facts: SyncFacts | null };

const TIMEOUT_MS = 2_000;

export type HealthReader = {
  /** Reads the state now. Never rejects. */
  read: () => Promise<SyncReading>;
  /** Shares a reading of the last two seconds among frequent callers. */
  readShared: () => Promise<SyncReading>;
};

export type HealthSources = {
  db: Database;
  maxPendingMs: number;
  /** Outside production, visitors have private IP addresses. */
  isProduction?: boolean;
  syncQueue?: Pick<SyncQueue, 'prove'>;
  /** Rejects if Postgres cannot be written. */
  tryWrite?: () => Promise<unknown>;
  others?: () => Failure[];
  keptMs?: number;
};

/** Creates a process's only source of the sync's state. */
export function createHealthReader(sources: HealthSources): HealthReader {
  const {
    db,
    maxPendingMs,
    isProduction = false,
    syncQueue,
    tryWrite = () => writeOnTrial(db),
    others,
    keptMs,
  } = sources;
  const since = new Map<ConditionKind, Date>();
  let isMigrated = false;
  let refusedAt = new Date(0);

  /** Finds failures that keep Postgres from storing a lead. */
  async function examineDatabase(): Promise<Failure[]> {
    try {
      const missing = isMigrated
        ? []
        : await withTimeout(TIMEOUT_MS, () => findMissingMigrations(db));
      if (missing.length > 0)
        return [{ kind: 'not-set-up', text: `Migrations are missing: ${missing.join(', ')}.` }];
      isMigrated = true;
      await withTimeout(TIMEOUT_MS, tryWrite);
      return [];
    } catch (failure) {
      return [{ kind: 'cannot-write', text: `${toDatabaseText(failure)} New leads are refused.` }];
    }
  }

  async function read(): Promise<SyncReading> {
    const [database, facts, redisFailure] = await Promise.all([
      examineDatabase(),
      withTimeout(TIMEOUT_MS, () => readSyncFacts(db)).catch(() => null),
      withTimeout(TIMEOUT_MS, async () => syncQueue?.prove()).then(
        () => null,
        (failure: unknown) => toRedisText(failure),
      ),
    ]);
    const own = [...database, ...(others?.() ?? [])];
    if (redisFailure !== null)
      own.push({
        kind: 'redis-unavailable',
        text: redisFailure,
      });
    if (database.length > 0) refusedAt = facts?.now ?? new Date();
    // No worker could record that it runs.
    if (facts?.reachableSince && refusedAt > facts.reachableSince) facts.reachableSince = refusedAt;
    if (facts === null && database.length === 0)
      own.push({ kind: 'unknown', text: 'How the sync is could not be read from Postgres.' });
    for (const kind of since.keys())
      if (!own.some((each) => each.kind === kind)) since.delete(kind);
    for (const { kind } of own) if (!since.has(kind)) since.set(kind, new Date());
    const conditions = own.map((each) => ({ ...each, since: since.get(each.kind) ?? new Date() }));
    if (facts) conditions.push(...findConditions(facts, maxPendingMs, isProduction));
    conditions.sort(byGravity);
    return { state: toState(conditions), conditions, facts };
  }

  const shared = shareReading(read, {
    timeoutMs: 3 * TIMEOUT_MS,
    keptMs,
  });
  return { read, readShared: async () => (await shared()) ?? read() };
}

/** Redis refuses new jobs without memory, but it answers. */
const toRedisText = (failure: unknown) =>
  failure instanceof Error && failure.message.startsWith('OOM ')
    ? 'Redis is out of memory. Leads are stored, and wait until it takes jobs again.'
    : 'Redis does not answer. Leads are stored, and nothing is sent until it returns.';

function toDatabaseText(failure: unknown): string {
  const code = failure instanceof Error && 'code' in failure ? failure.code : '';
  if (code === '25006') return 'Postgres is read-only.';
  if (code === '53100') return 'Postgres has no space left on its disk.';
  return 'Postgres cannot be read or written.';
}

/** Rewrites one row, because a Postgres that cannot write may still be readable. */
async function writeOnTrial(db: Database): Promise<void> {
  await query(db, "update tasks set seen_at = seen_at where name = 'worker'");
}
