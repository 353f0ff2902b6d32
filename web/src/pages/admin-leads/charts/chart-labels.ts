import type { AttemptClass } from '@site/schema/admin';

/** The name of a source in charts and tables. `isRest` stands for all but the largest. */
export function nameSource({ source, isRest = false }: { source: string | null; isRest?: boolean }): string {
  return source ?? (isRest ? 'all others' : '(none)');
}

/** The classes of failed attempts, as in a list of errors. */
export const CLASS_LABELS: Record<AttemptClass, string> = {
  accepted: 'Accepted',
  permanent: 'Permanent failure',
  configuration: 'Configuration',
  transient: 'Will retry',
  'rate-limited': 'Rate limited',
  unknown: 'Outcome unknown',
};
