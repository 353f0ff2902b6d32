import type { ChartsAnswer } from '@site/schema/calls/leads';

const PER_DAY = [
  [17, 9],
  [16, 8],
  [9, 6],
  [9, 4],
  [20, 10],
  [37, 23],
  [22, 14],
  [18, 10],
  [17, 9],
  [0, 0],
  [10, 7],
  [21, 13],
  [42, 28],
  [24, 14],
] as const;

/** Builds the figures of two weeks, with one empty day. */
export function aFortnight(): ChartsAnswer {
  const start = Date.parse('2025-11-20');
  return {
    days: PER_DAY.flatMap(([preSample, preBuy], index) => {
      const day = new Date(start + index * 86_400_000).toISOString().slice(0, 10);
      return preSample + preBuy === 0 ? [] : [{ day, preSample, preBuy }];
    }),
    sources: [
      { source: 'sample_site', isRest: false, preSample: 262, preBuy: 6 },
      { source: 'top_sub', isRest: false, preSample: 0, preBuy: 71 },
      { source: 'bottom_sub', isRest: false, preSample: 0, preBuy: 41 },
      { source: null, isRest: true, preSample: 0, preBuy: 38 },
    ],
    isCapped: false,
  };
}
