import { z } from 'zod';

const WARN_LEVEL = 40;
const LEVEL_NAMES: Record<number, string> = { 40: 'warning', 50: 'error', 60: 'fatal' };
const QUIET_MS = 10_000;

const logLine = z.looseObject({ level: z.number(), msg: z.string().default('') });
const COMMON_FIELDS = new Set([
  'level',
  'time',
  'pid',
  'hostname',
  'name',
  'msg',
  'process',
  'service',
]);

/**
 * Formats a log line for the terminal. Returns undefined for a line that belongs only in the log
 * file.
 */
export function toTerminalLine(line: string): string | undefined {
  const entry = logLine.safeParse(parseJson(line)).data;
  if (entry === undefined) return line.trim() === '' ? undefined : line;
  if (entry.level < WARN_LEVEL) return undefined;
  const fields = Object.entries(entry).filter(([name]) => !COMMON_FIELDS.has(name));
  const details = fields.map(([name, value]) => `${name}=${toDetail(value)}`).join(' ');
  const level = LEVEL_NAMES[Math.min(60, Math.floor(entry.level / 10) * 10)] ?? 'warning';
  return `${level}: ${entry.msg}${details === '' ? '' : ` (${details})`}`;
}

function toDetail(value: unknown): string {
  const error = z.object({ message: z.string() }).safeParse(value).data;
  return error?.message ?? (typeof value === 'string' ? value : JSON.stringify(value));
}

function parseJson(line: string): unknown {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/**
 * Creates a filter that drops a line if one differing only in its details was shown in the last ten
 * seconds. The next one shown gives the number dropped. An outage would otherwise fill the
 * terminal.
 */
export function createRepeatFilter(now: () => number): (line: string) => string | undefined {
  const seen = new Map<string, { shownAt: number; dropped: number }>();
  return (line) => {
    const kind = line.replace(/ \(.*$/s, '').replaceAll(/\d+/g, '#');
    const last = seen.get(kind);
    if (last !== undefined && now() - last.shownAt < QUIET_MS) {
      last.dropped += 1;
      return undefined;
    }
    seen.set(kind, { shownAt: now(), dropped: 0 });
    return last === undefined || last.dropped === 0
      ? line
      : `${line} [and ${last.dropped} more like it]`;
  };
}
