const MAX_COLUMNS = 100;

/**
 * Returns the numbers of the lines that are too long. The formatter leaves a long string as it is,
 * and SQL too. A comment that turns a rule off cannot be broken.
 */
export const findLongLines = (lines) =>
  lines.flatMap((line, at) =>
    [...line].length > MAX_COLUMNS && !line.includes('oxlint-disable') ? at + 1 : [],
  );

/** One word of SQL alone on its line separates what belongs together. */
const LONE = /^ *(left|inner|cross|on|do update|select|from|using \([^)]*\))$/;

/** Returns the numbers of the lines that hold one word of SQL. */
export const findLoneWords = (lines) =>
  lines.flatMap((line, at) => (LONE.test(line) ? at + 1 : []));

export const LONE_WORD = 'SQL keeps `left`, `on` and the like on the line of what they join';
export const TOO_LONG = `A line has at most ${MAX_COLUMNS} columns`;
