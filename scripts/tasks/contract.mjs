// npm run contract: one suite of cases on the sandbox and, with test keys, on the real Stripe and
// Beehiiv.
import { parseArgs } from 'node:util';

import { wrongArguments } from '../failure.mjs';
import { install } from '../steps.mjs';
import { runVitest } from './test.mjs';

const USAGE = `Runs one suite of cases against the sandbox and, with test keys, against the real services, and prints where they differ.
  npm run contract                              the sandbox alone, which it starts itself, and a second one in their place
  STRIPE_SECRET_KEY=sk_test_…                   Stripe, too. A live key is refused
  STRIPE_RESTRICTED_KEY=rk_test_…               also the case of a key that may not read disputes
  BEEHIIV_API_KEY=… BEEHIIV_PUBLICATION_ID=…    Beehiiv, too, with -- --email EMAIL
  npm run contract -- --email EMAIL             a throw-away email: it is added, changed and deleted

The suite removes what it adds. At Stripe, archived products and prices stay: Stripe deletes none that were sold.
A case differs if a status differs, or if a field of the sandbox's answer is missing or has another type.
Exit code 0: the same. 1: something differs, or a key or the email cannot be used. 2: wrong arguments.`;

export async function contract({ args, signal }) {
  const { email, help } = readFlags(args);
  if (help) {
    console.log(USAGE);
    return 0;
  }
  await install({ signal });
  return runVitest(['--project=contract', '--reporter=verbose'], {
    signal,
    env: email && { CONTRACT_EMAIL: email },
  });
}

function readFlags(args) {
  try {
    return parseArgs({
      args,
      options: { email: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    }).values;
  } catch (error) {
    throw wrongArguments(`${error.message}\n\n${USAGE}`);
  }
}
