import { dayAfter } from '@site/schema/calendar';
import type { ListFilter } from './filter-params.ts';

type Dates = Pick<ListFilter, 'startDate' | 'endDate'>;
/** Days that end today. Without a number, all dates. */
export type Preset = { name: string; days?: number };

export const PRESETS: readonly Preset[] = [
  { name: 'Today', days: 1 },
  { name: '7 days', days: 7 },
  { name: '30 days', days: 30 },
  { name: '90 days', days: 90 },
  { name: 'All' },
];

/** Returns the first and last day of a preset. Both count. */
export function toDates({ days }: Preset, today: string): Dates {
  if (days === undefined) return { startDate: undefined, endDate: undefined };
  return { startDate: dayAfter(today, 1 - days), endDate: today };
}

export function findPreset(
  { startDate, endDate }: Dates,
  today: string,
  presets: readonly Preset[] = PRESETS,
): Preset | undefined {
  return presets.find((preset) => {
    const dates = toDates(preset, today);
    return dates.startDate === startDate && dates.endDate === endDate;
  });
}
