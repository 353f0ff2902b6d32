import { londonDate } from '@site/schema/calendar';
import { useFilter } from '../filters/use-filter.ts';
import { findPreset, toDates } from '../filters/date-presets.ts';
import type { Preset } from '../filters/date-presets.ts';
import { describeDates } from '../filters/filter-labels.ts';
import { useNow } from '../time/use-now.ts';

const USUAL: Preset = { name: '30 days', days: 30 };
export const MONEY_PRESETS: readonly Preset[] = [
  { name: '7 days', days: 7 },
  USUAL,
  { name: '90 days', days: 90 },
  { name: '12 months', days: 365 },
];

/** The period of churn, refunds and revenue: the address's dates, or without any the last 30 days. */
export function useMoneyPeriod() {
  const today = londonDate(useNow(false));
  const { filter } = useFilter('money');
  const hasDates = filter.startDate !== undefined || filter.endDate !== undefined;
  const { startDate, endDate } = hasDates ? filter : toDates(USUAL, today);
  const preset = findPreset({ startDate, endDate }, today, MONEY_PRESETS);
  return {
    period: { startDate, endDate },
    isPreset: preset !== undefined,
    name: preset ? `last ${preset.name}` : describeDates({ startDate, endDate }),
  };
}
