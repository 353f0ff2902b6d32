import type { SyncHealthAnswer } from '@site/schema/calls/sync';
import type { ConditionKind } from '@site/schema/sync-state';
import { formatCount } from '../shared/format-count.ts';

/** `9 of 150 this minute`. */
export function describeRate({ lastMinute, allowed }: SyncHealthAnswer['rate']): string {
  const most = allowed === null ? '' : ` of ${formatCount(allowed)}`;
  return `${formatCount(lastMinute)}${most} this minute`;
}

/** Tells whether leads wait at most, until Beehiiv answers or a setting is right: it is amber, and no alarm. */
export const isMild = (kind: ConditionKind) =>
  ['paused', 'outage', 'pending-too-long'].includes(kind);

/** Tells whether nobody can subscribe. */
export const isOfStripe = (kind: ConditionKind) =>
  kind === 'stripe-unavailable' || kind === 'stripe-key-refused';

/** Tells whether many refusals in a row have paused the sync, so that no single setting is known to be wrong. */
export const isAnySetting = (setting: string) => setting.includes('*');

/** Says where the right value of the setting that pauses the sync is found. */
export function findRemedy(setting: string): string {
  if (setting.includes('API_KEY')) return 'Create a key in Beehiiv under Settings, API.';
  if (setting.includes('PUBLICATION'))
    return 'Copy the publication’s id from Beehiiv under Settings, API.';
  return 'Find out which value is wrong, here or at Beehiiv.';
}
