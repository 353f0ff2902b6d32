import type { Finding } from './browser.bench.ts';
import type { Timing } from './measure.ts';

export type Row = { name: string; budgetMs: number | null; small: Timing; large: Timing; baseline: Timing | undefined };

const ms = (value: number | undefined) => (value === undefined ? '–' : value.toFixed(value < 10 ? 1 : 0));

/** Prints one line per call: its p95, the same call on a small table, and the baseline. */
export function printTable(rows: Row[], sizes: { small: number; large: number }): void {
  const heads = [
    'call (p95, ms)',
    `${sizes.small.toLocaleString('en-GB')} leads`,
    `${sizes.large.toLocaleString('en-GB')} leads`,
    'median',
    'budget',
    'offset and count',
    '',
  ];
  const lines = rows.map(({ name, budgetMs, small, large, baseline }) => [
    name,
    ms(small.p95),
    ms(large.p95),
    ms(large.p50),
    budgetMs === null ? '–' : String(budgetMs),
    ms(baseline?.p95),
    isWithin({ budgetMs, large }) ? 'ok' : 'TOO SLOW',
  ]);
  printLines(heads, lines);
}

/** Prints one line per action: with few leads, with many, and the ratio. */
export function printFindings(
  { small, large }: Record<'small' | 'large', Map<string, Finding>>,
  sizes: { small: number; large: number },
): void {
  const heads = [
    'in a browser',
    ...Object.values(sizes).map((size) => `${size.toLocaleString('en-GB')} leads`),
    'ratio',
  ];
  const lines = [...large].map(([name, { value, unit }]) => {
    const before = small.get(name)?.value ?? Number.NaN;
    const say = (amount: number) => `${amount.toFixed(unit === 'MB' ? 1 : 0)} ${unit}`.trim();
    return [name, say(before), say(value), (value / before).toFixed(2)];
  });
  printLines(heads, lines);
}

function printLines(heads: string[], lines: string[][]): void {
  const widths = heads.map((head, column) =>
    Math.max(head.length, ...lines.map((line) => (line[column] ?? '').length)),
  );
  for (const line of [heads, ...lines]) {
    const cells = line.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    console.log(cells.join('  '));
  }
}

export function isWithin({ budgetMs, large }: Pick<Row, 'budgetMs' | 'large'>): boolean {
  return budgetMs === null || large.p95 <= budgetMs;
}
