import type { SyncHealthAnswer } from '@site/schema/calls/sync';
import { formatCount } from '../elements/format-count.ts';
import { formatMoment, formatTime, isSameDay } from '../time/london-time.ts';

/** `9 of 150 requests this minute`. */
export function describeRate({ lastMinute, allowed }: SyncHealthAnswer['rate']): string {
  const most = allowed === null ? '' : ` of ${formatCount(allowed)}`;
  return `${formatCount(lastMinute)}${most} requests this minute`;
}

/** `09:31` today, and otherwise with the day. */
export function describeMoment(instant: string, now: Date): string {
  const at = new Date(instant);
  return isSameDay(at, now) ? formatTime(at) : formatMoment(at, now);
}

/** Tells whether many refusals in a row have paused the sync, so that no single setting is known to be wrong. */
export const isAnySetting = (setting: string) => setting.includes('*');

/** Says what to do about the setting that pauses the sync. */
export function findRemedy(setting: string): string {
  if (setting.includes('API_KEY'))
    return 'Create a key in Beehiiv under Settings, API, put it into the setting and restart the worker.';
  if (setting.includes('PUBLICATION'))
    return 'Copy the publication’s id from Beehiiv under Settings, API, into the setting and restart the worker.';
  if (isAnySetting(setting))
    return 'Correct the wrong setting and restart the worker, or correct it at Beehiiv. The next probe then resumes the sync.';
  return 'Correct the setting and restart the worker, or correct it at Beehiiv. The next probe then resumes the sync.';
}
