/** A failure that needs a change by a person. Only its message is shown. */
export class Failure extends Error {
  name = 'StartFailure';
  /** 2 for wrong arguments. */
  exitCode;

  constructor(message, { exitCode = 1, ...options } = {}) {
    super(message, options);
    this.exitCode = exitCode;
  }
}

/** Creates the error for wrong arguments of a command. */
export function wrongArguments(message) {
  return new Failure(message, { exitCode: 2 });
}

/** Prints the message of a Failure, or the whole of any other error. */
export function report(error) {
  console.error(error?.name === 'StartFailure' ? `\n${error.message}` : error);
}

/** Throws a Failure if a task without arguments got some. */
export function refuseArguments(name, args) {
  if (args.length > 0)
    throw wrongArguments(`${name} takes no arguments, but got "${args.join(' ')}".`);
}
