/** Something a person must change first; its message is the sentence they read, and no stack is shown. */
export class Failure extends Error {
  name = 'StartFailure';
}

/** Prints what went wrong: a sentence for what a person can change, the whole story for what should not happen. */
export function report(error) {
  console.error(error?.name === 'StartFailure' ? `\n${error.message}` : error);
}
