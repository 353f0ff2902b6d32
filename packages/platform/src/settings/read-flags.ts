import { parseArgs } from 'node:util';

type Options = Record<string, { type: 'boolean' | 'string'; short?: string }>;
type Flags<O extends Options> = {
  [Name in keyof O]?: O[Name]['type'] extends 'boolean' ? boolean : string;
};

const OURS = {
  help: { type: 'boolean', short: 'h' },
  'arguments-only': { type: 'boolean' },
} as const;

/**
 * Reads a command's options from its arguments. Ends the process with 0 and the usage for `--help`,
 * and with 2 for wrong arguments or values that `findFailure` refuses. Also ends it with 0 for
 * `--arguments-only`, with which `npm run` checks the arguments.
 */
export function readFlags<const O extends Options>(
  usage: string,
  options: O,
  findFailure: (flags: Flags<O>) => string | null = () => null,
): Flags<O> {
  const values = parse({ ...options, ...OURS }, usage);
  if (values['help']) end(0, usage);
  const failure = findFailure(values as Flags<O>);
  if (failure !== null) end(2, `${failure}\n\n${usage}`);
  if (values['arguments-only']) end(0);
  return values as Flags<O>;
}

function parse(options: Options, usage: string): Record<string, unknown> {
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return end(2, `${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  }
}

function end(exitCode: number, text = ''): never {
  const out = exitCode === 0 ? process.stdout : process.stderr;
  if (text !== '') out.write(`${text}\n`);
  process.exit(exitCode);
}
