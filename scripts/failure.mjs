/** What a person must change first. They read its message, without a stack. */
export class Failure extends Error {
  name = 'StartFailure';
}

/** Prints the message of a Failure, and everything about any other error. */
export function report(error) {
  console.error(error?.name === 'StartFailure' ? `\n${error.message}` : error);
}

/** Fails with a sentence if a task that takes no arguments got some. */
export function refuseArguments(name, args) {
  if (args.length > 0) throw new Failure(`${name} takes no arguments, and got "${args.join(' ')}".`);
}
