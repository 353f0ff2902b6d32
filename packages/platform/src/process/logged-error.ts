/** An error without personal data, for the log. */
export type LoggedError = {
  type: string;
  message: string;
  stack?: string;
  cause?: LoggedError;
  errors?: LoggedError[];
} & Partial<Record<(typeof FACTS)[number], string | number>>;

/** Names and codes, which Postgres and drivers take from the schema and never from a row. */
const FACTS = [
  'code',
  'constraint',
  'schema',
  'table',
  'column',
  'dataType',
  'routine',
  'syscall',
] as const;
/**
 * The SQLSTATEs whose text concerns the server, its connections or a missing name: 28P01 is a wrong
 * password. Any other text may quote a row: `invalid input syntax for type uuid:
 * "ada@example.com"`.
 */
const TEXT_WITHOUT_VALUES = /^(?:08|25|28|3D|40|53|55|57|58|42501|42P01|42703)/;
// A package's version, as in "pg@8.1.0", is not an email.
const EMAIL = /[^\s"'<>(),;:/]+@[^\s"'<>(),;:/]*\p{L}[^\s"'<>(),;:/]*/gu;
const FRAME = /^ {4}at .*(?::\d+:\d+|<anonymous>|native|index \d+)\)?$/;
const DEEPEST_CAUSE = 5;
/** Node's codes for a certificate that is not from a trusted CA. */
const UNTRUSTED = [
  'SELF_SIGNED_CERT_IN_CHAIN',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'CERT_SIGNATURE_FAILURE',
];
const UNTRUSTED_REMEDY =
  'no CA that this process trusts has signed its certificate; name the file of your CA with ' +
  'sslrootcert in the Postgres URL, with ssl_ca_certs in the Redis URL';

export const CERTIFICATE_FAILURES: readonly string[] = [
  ...UNTRUSTED,
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'ERR_TLS_CERT_ALTNAME_INVALID',
];

/**
 * Turns anything thrown into loggable facts. Drivers attach rows, queries and request bodies to
 * their errors, so only listed properties are kept. A database error loses its text. A stack loses
 * its first lines, which repeat the text.
 */
export function toLoggedError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error))
    return { type: typeof error, message: withoutEmails(String(error)) };
  const stack = framesOf(error);
  const isDeepest = depth >= DEEPEST_CAUSE;
  const errors = error instanceof AggregateError && !isDeepest ? (error.errors as unknown[]) : [];
  return {
    type: error.name,
    message: errorMessage(error),
    ...factsOf(error),
    ...(stack && { stack }),
    ...(errors.length > 0 && { errors: errors.map((each) => toLoggedError(each, depth + 1)) }),
    ...(error.cause !== undefined &&
      !isDeepest && { cause: toLoggedError(error.cause, depth + 1) }),
  };
}

/** Returns the code of an error: Postgres's, Node's, or empty. */
export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error ? String(error.code) : '';

/** Returns an error's message in a form that may be printed or logged. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof Error)) return withoutEmails(String(error));
  const code = codeOf(error);
  if ('severity' in error && !TEXT_WITHOUT_VALUES.test(code)) return `database error ${code}`;
  return withoutEmails(
    UNTRUSTED.includes(code) ? `${error.message}: ${UNTRUSTED_REMEDY}` : error.message,
  );
}

/** Describes an unexpected error for a terminal, over several lines. */
export function toErrorText(error: unknown): string {
  return describe(toLoggedError(error));
}

function describe({ type, message, stack, cause, errors = [], ...facts }: LoggedError): string {
  const listed = Object.entries(facts).map(([name, value]) => `${name}=${value}`);
  return [
    [`${type}: ${message}`, ...listed].join(' '),
    ...(stack ? [stack] : []),
    ...errors.map((each) => `one of: ${describe(each)}`),
    ...(cause ? [`caused by: ${describe(cause)}`] : []),
  ].join('\n');
}

function factsOf(error: Error): Partial<Record<(typeof FACTS)[number], string | number>> {
  const given = error as Error & Record<string, unknown>;
  const facts: Partial<Record<(typeof FACTS)[number], string | number>> = {};
  for (const name of FACTS) {
    const value = given[name];
    if (typeof value === 'string') facts[name] = withoutEmails(value);
    if (typeof value === 'number') facts[name] = value;
  }
  return facts;
}

/** Returns the lines of a stack that locate the error, without the message before them. */
function framesOf({ stack = '', message }: Error): string {
  const messageAt = stack.indexOf(message);
  const lines = stack.slice(messageAt < 0 ? 0 : messageAt + message.length).split('\n');
  return lines.slice(lines.findLastIndex((line) => !FRAME.test(line)) + 1).join('\n');
}

function withoutEmails(text: string): string {
  return text.replaceAll(EMAIL, '[email]');
}
