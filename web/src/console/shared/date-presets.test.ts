import { expect, test } from 'vitest';
import { findPreset, PRESETS, toDates } from './date-presets.ts';

const TODAY = '2025-03-31';

test('a preset ends today and counts both ends, also over a change of the clocks', () => {
  expect(PRESETS.map((preset) => toDates(preset, TODAY))).toEqual([
    { startDate: TODAY, endDate: TODAY },
    { startDate: '2025-03-25', endDate: TODAY },
    { startDate: '2025-03-02', endDate: TODAY },
    { startDate: '2025-01-01', endDate: TODAY },
    { startDate: undefined, endDate: undefined },
  ]);
});

test('a preset is the current one only with exactly its dates', () => {
  for (const preset of PRESETS) expect(findPreset(toDates(preset, TODAY), TODAY)).toBe(preset);
  expect(findPreset({ startDate: '2025-03-25', endDate: '2025-03-30' }, TODAY)).toBeUndefined();
  expect(findPreset({}, TODAY)?.name).toBe('All');
});
