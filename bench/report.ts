import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

/** Bounds that a figure promises to keep. */
export type Promised = { atLeast?: number; atMost?: number };

/** A line of a table. `cells` appear between its name and its promise, or else its value. */
export type Figure = { name: string; value: number; cells?: string[]; promised?: Promised };

/** A measured case. `graph` follows its table. */
export type Report = {
  name: string;
  title: string;
  heads: string[];
  figures: Figure[];
  graph?: string;
};

const FOLDER = fileURLToPath(new URL('results/', import.meta.url));

export const isGood = ({ figures }: Report) => figures.every(isKept);

function isKept({ value, promised: { atLeast = -Infinity, atMost = Infinity } = {} }: Figure) {
  return value >= atLeast && value <= atMost;
}

export function say(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return '–';
  return value === Infinity ? 'failed' : value.toFixed(Math.abs(value) < 10 ? 2 : 0);
}

export function medianOf(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Prints a report, and keeps it as a table in the folder `results`. */
export function publish({ name, title, heads: ownHeads, figures, graph = '' }: Report): void {
  const heads = ['', ...ownHeads, 'promise', ''];
  const lines = figures.map((figure) => [
    figure.name,
    ...(figure.cells ?? [say(figure.value)]),
    ...judge(figure),
  ]);
  const widths = heads.map((_, column) =>
    Math.max(...[heads, ...lines].map((cells) => cells[column]?.length ?? 0)),
  );
  const toRow = (cells: string[]) =>
    cells.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
  console.log(`\n${title}`);
  for (const line of [heads, ...lines]) console.log(`  ${toRow(line).join('  ')}`);

  const rule = heads.map((_, column) => (column === 0 ? '---' : '--:'));
  const table = [heads, rule, ...lines].map((line) => `| ${line.join(' | ')} |`).join('\n');
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(`${FOLDER}${name}.md`, `# ${title}\n\n${toMachineText()}\n\n${table}\n${graph}`);
}

function judge(figure: Figure): [string, string] {
  const { atLeast, atMost } = figure.promised ?? {};
  if (atLeast === undefined && atMost === undefined) return ['–', ''];
  return [atLeast === undefined ? `≤ ${atMost}` : `≥ ${atLeast}`, isKept(figure) ? 'ok' : 'MISSED'];
}

function toMachineText(): string {
  const day = new Date().toISOString().slice(0, 10);
  const memory = Math.round(totalmem() / 2 ** 30);
  return `Measured on ${day}: ${cpus().length} cores, ${memory} GB of memory, Node ${process.versions.node}, with Postgres (fsync on), Valkey and the load on the same machine.`;
}
