import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

/** A measured case: a line for each call, with its promise if it has one. */
export type Report = {
  name: string;
  title: string;
  heads: string[];
  lines: string[][];
  isGood: boolean;
  graph?: string;
};

/** Bounds that a figure promises to keep. */
export type Promised = { atLeast?: number; atMost?: number };

const FOLDER = fileURLToPath(new URL('results/', import.meta.url));

export const isKept = (value: number, { atLeast = -Infinity, atMost = Infinity }: Promised) =>
  value >= atLeast && value <= atMost;

/** Writes a promise and what became of it, for the last two columns of a line. */
export function judge(value: number, promised: Promised): [string, string] {
  const { atLeast, atMost } = promised;
  if (atLeast === undefined && atMost === undefined) return ['–', ''];
  const bound = atLeast === undefined ? `≤ ${atMost}` : `≥ ${atLeast}`;
  return [bound, isKept(value, promised) ? 'ok' : 'MISSED'];
}

export function say(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return '–';
  return value === Infinity ? 'failed' : value.toFixed(Math.abs(value) < 10 ? 2 : 0);
}

/** The release whose tables are shown beside today's. */
const RELEASE = '0.2.0';

/** Adds a column with the first figure that each line had in that release, if its table is kept. */
function besideRelease(report: Report): Report {
  const file = `${FOLDER}${RELEASE}/${report.name}.md`;
  if (!existsSync(file)) return report;
  const rows = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| '));
  const cells = rows.map((row) => row.split('|').map((cell) => cell.trim()));
  const before = new Map(
    cells.map(([, name, ...figures]) => [name, figures.find((figure) => figure !== '')]),
  );
  const found = report.heads.indexOf('promise');
  const at = found === -1 ? report.heads.length : found;
  const lines = report.lines.map((line) => line.toSpliced(at, 0, before.get(line[0]) ?? '–'));
  return { ...report, heads: report.heads.toSpliced(at, 0, RELEASE), lines };
}

/** Prints a report, and keeps it as a table in the folder `results`. */
export function publish(report: Report): void {
  const { name, title, heads, lines, graph = '' } = besideRelease(report);
  const widths = heads.map((head, column) =>
    Math.max(...[head, ...lines.map((line) => line[column] ?? '')].map(length)),
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
  writeFileSync(`${FOLDER}${name}.md`, `# ${title}\n\n${describeMachine()}\n\n${table}\n${graph}`);
}

function describeMachine(): string {
  const day = new Date().toISOString().slice(0, 10);
  const memory = Math.round(totalmem() / 2 ** 30);
  return `Measured on ${day}: ${cpus().length} cores, ${memory} GB of memory, Node ${process.versions.node}, with Postgres (fsync on), Valkey and the load on the same machine.`;
}

const length = (text: string) => text.length;
