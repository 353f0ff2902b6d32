import { SANDBOX_CREDENTIALS } from '@site/schema/sandbox-credentials';
import { parseArgs } from 'node:util';
import type { Target } from './case.ts';

export const USAGE = `Runs one suite of cases against the sandbox and, with test keys, against the real services, and prints where they differ.
  npm run contract                              the sandbox alone, which it starts itself
  STRIPE_SECRET_KEY=sk_test_…                   Stripe, too. A live key is refused
  STRIPE_RESTRICTED_KEY=rk_test_…               also the case of a key that may not read disputes
  BEEHIIV_API_KEY=… BEEHIIV_PUBLICATION_ID=…    Beehiiv, too, with -- --email ADDRESS
  npm run contract -- --email ADDRESS           a throw-away address: it is added, changed and deleted
  npm run contract -- --verbose                 also what only the real service answers

The suite removes what it adds. At Stripe, archived products and prices stay: Stripe deletes none that were sold.
A case differs if a status differs, or if a field of the sandbox's answer is missing or has another type.
Exit code 0: the same. 1: something differs. 2: wrong arguments, keys or address.`;

/** A refusal to start, with a sentence for the person. */
export class Refusal extends Error {}

export type Options = { real: Target | null; isVerbose: boolean; isHelp: boolean };

const STRIPE_URL = 'https://api.stripe.com';
const BEEHIIV_URL = 'https://api.beehiiv.com/v2';

/** Reads the real services from arguments and environment. The sandbox's own keys mean none. Throws a refusal. */
export function readTarget(args: string[], env: Record<string, string | undefined>): Options {
  const flags = readFlags(args);
  const stripeKey = given(env['STRIPE_SECRET_KEY'], SANDBOX_CREDENTIALS.stripeSecretKey);
  const restrictedKey = given(env['STRIPE_RESTRICTED_KEY'], '');
  const beehiivKey = given(env['BEEHIIV_API_KEY'], SANDBOX_CREDENTIALS.beehiivApiKey);
  const publicationId = given(env['BEEHIIV_PUBLICATION_ID'], SANDBOX_CREDENTIALS.beehiivPublicationId);
  if ([stripeKey, restrictedKey].some((key) => key !== undefined && !/^(sk|rk)_test_/.test(key))) {
    throw new Refusal('STRIPE_SECRET_KEY is not a test key. The suite takes sk_test_… or rk_test_… only.');
  }
  if (flags.email !== undefined && beehiivKey === undefined) {
    throw new Refusal('--email needs BEEHIIV_API_KEY and BEEHIIV_PUBLICATION_ID.');
  }
  if (flags.email !== undefined && publicationId === undefined) throw new Refusal('BEEHIIV_PUBLICATION_ID is missing.');
  const real: Target = {
    ...(stripeKey !== undefined && {
      stripe: {
        url: env['STRIPE_API_URL'] || STRIPE_URL,
        key: stripeKey,
        ...(restrictedKey !== undefined && { restrictedKey }),
      },
    }),
    ...(beehiivKey !== undefined &&
      publicationId !== undefined &&
      flags.email !== undefined && {
        beehiiv: { url: env['BEEHIIV_API_URL'] || BEEHIIV_URL, key: beehiivKey, publicationId, email: flags.email },
      }),
  };
  return {
    real: real.stripe || real.beehiiv ? real : null,
    isVerbose: flags.verbose ?? false,
    isHelp: flags.help ?? false,
  };
}

function readFlags(args: string[]) {
  try {
    const options = {
      email: { type: 'string' },
      verbose: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    } as const;
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new Refusal(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
  }
}

function given(value: string | undefined, sandboxValue: string): string | undefined {
  const trimmed = value?.trim();
  return trimmed === undefined || trimmed === '' || trimmed === sandboxValue ? undefined : trimmed;
}
