import { z } from 'zod';

const WARN_LEVEL = 40;
const LEVEL_NAMES: Record<number, string> = { 40: 'warning', 50: 'error', 60: 'fatal' };
const QUIET_MS = 10_000;

const logLine = z.looseObject({ level: z.number(), msg: z.string().default('') });
const STANDING_FIELDS = new Set(['level', 'time', 'pid', 'hostname', 'name', 'msg', 'process', 'service']);

/** How a process's line reads on a terminal; undefined for one that only its log file needs. */
export function toTerminalLine(line: string): string | undefined {
  const entry = logLine.safeParse(parseJson(line)).data;
  if (entry === undefined) return line.trim() === '' ? undefined : line;
  if (entry.level < WARN_LEVEL) return undefined;
  const fields = Object.entries(entry).filter(([name]) => !STANDING_FIELDS.has(name));
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
 * Lets a line through unless one that differs only in its details was let through in the last ten seconds; the next
 * one then says how many were held back. An outage would otherwise fill the screen with one sentence.
 */
export function createRepeatFilter(now: () => number): (line: string) => string | undefined {
  const seen = new Map<string, { shownAt: number; heldBack: number }>();
  return (line) => {
    const kind = line.replace(/ \(.*$/s, '').replaceAll(/\d+/g, '#');
    const last = seen.get(kind);
    if (last !== undefined && now() - last.shownAt < QUIET_MS) {
      last.heldBack += 1;
      return undefined;
    }
    seen.set(kind, { shownAt: now(), heldBack: 0 });
    return last === undefined || last.heldBack === 0 ? line : `${line} [and ${last.heldBack} more like it]`;
  };
}
