import { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common';

/** Several spaces in a row count as one. */
const MIN_PASSWORD = 12;
/** Powers of ten: with fewer guesses, somebody who has stolen the hash finds it in minutes. */
const MIN_GUESSES_LOG10 = 9;
/** A longer text is not easier to guess, and takes long to estimate. */
const MAX_ESTIMATED = 64;

/** Well-known passphrases, which an estimate takes for words in an unusual order. */
const KNOWN = [
  'correcthorsebatterystaple',
  'thequickbrownfox',
  'tobeornottobe',
  'maytheforcebewithyou',
  'neverguessme',
];
/** Words that an attacker of this site tries first. */
const OURS = ['newsletter', 'liquidation', 'ledger', 'leads', 'beehiiv', 'stripe'];

let estimator: ZxcvbnFactory | undefined;

/**
 * Returns the fault of a new password, as a sentence without its full stop, or null. Estimates the guesses
 * it takes, by lists of leaked passwords, words, names and rows of keys.
 */
export function findPasswordFault(password: string, username: string): string | null {
  if (Array.from(password.replaceAll(/ +/g, ' ')).length < MIN_PASSWORD)
    return `Use at least ${MIN_PASSWORD} characters`;
  const plain = password.toLowerCase().replaceAll(/[^\p{Letter}\p{Number}]/gu, '');
  estimator ??= new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs });
  const { guessesLog10 } = estimator.check(password.slice(0, MAX_ESTIMATED), [username, ...OURS]);
  return guessesLog10 < MIN_GUESSES_LOG10 || KNOWN.some((known) => plain.includes(known))
    ? 'This password is easy to guess: it is made of common words, names or rows of keys. Choose another'
    : null;
}
