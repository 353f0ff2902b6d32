const MAX_COLUMNS = 100;

/**
 * Returns the numbers of the lines that are too long. The formatter leaves a long string as it is,
 * and SQL too. A comment that turns a rule off cannot be broken.
 */
export const findLongLines = (lines) =>
  lines.flatMap((line, at) =>
    [...line].length > MAX_COLUMNS && !line.includes('oxlint-disable') ? at + 1 : [],
  );

export const TOO_LONG = `A line has at most ${MAX_COLUMNS} columns`;
