import type { Database } from '@site/platform/database/connect';

export type Action =
  | 'login'
  | 'login-failed'
  | 'logout'
  | 'export-leads'
  | 'retry'
  | 'retry-run'
  | 'retry-run-stop'
  | 'correct'
  | 'correct-payer'
  | 'change-delivery'
  | 'export-person'
  | 'erase-person'
  | 'read-stripe-event'
  | 'review-mismatch'
  | 'review-second'
  | 'review-stripe-event'
  | 'user-add'
  | 'user-reset'
  | 'user-remove';

export type NewAction = {
  /** Null for commands, where no operator is signed in. */
  operator: string | null;
  action: Action;
  subject?: string | null;
  /** Ids, counts and filters. Never personal data. */
  detail?: Record<string, unknown>;
};

export type ActionRow = {
  id: number;
  at: Date;
  operator: string | null;
  action: string;
  subject: string | null;
  detail: Record<string, unknown>;
};

/** Records what an operator did, in the transaction of the action where it has one. */
export async function recordAction(
  db: Database,
  { operator, action, subject = null, detail = {} }: NewAction,
): Promise<void> {
  await db('operator_actions').insert({ operator, action, subject, detail: JSON.stringify(detail) });
}

/** Lists the newest actions before the given one, at most `limit`. */
export async function listActions(db: Database, before: number | undefined, limit: number): Promise<ActionRow[]> {
  const query = db<ActionRow>('operator_actions').orderBy('id', 'desc').limit(limit);
  if (before !== undefined) void query.where('id', '<', before);
  return query;
}
