import type { z } from 'zod';

/** Thrown for settings that cannot be used. The message has one sentence for each. */
export class SettingsError extends Error {
  override name = 'SettingsError';
}

/** Reads the settings of a process. Blank values count as absent. Throws a `SettingsError` that names every wrong one. */
export function readSettings<T extends z.ZodType>(schema: T, env: Record<string, string | undefined>): z.output<T> {
  const given = Object.fromEntries(
    Object.entries(env)
      .map(([name, value]) => [name, value?.trim()])
      .filter(([, value]) => value),
  );
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const sentences = result.error.issues.map((issue) => {
    const name = issue.path.join('.') || 'Settings';
    if (given[name] !== undefined) return `${name} is not usable: ${issue.message}.`;
    return issue.code === 'invalid_type' ? `${name} is missing.` : `${name} is missing: ${issue.message}.`;
  });
  throw new SettingsError(sentences.join('\n'));
}
