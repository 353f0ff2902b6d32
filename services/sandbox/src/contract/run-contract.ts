import { createSandbox } from '../sandbox.ts';
import type { CaseResult, Target } from './case.ts';
import { lookUp } from './beehiiv-cases.ts';
import { compareCase } from './compare-results.ts';
import { readTarget, Refusal, USAGE } from './read-target.ts';
import { runSuite, toBeehiiv } from './run-suite.ts';

const NAMES = { stripe: 'Stripe', beehiiv: 'Beehiiv' };
const DEFAULT_EMAIL = 'contract@example.com';
const SANDBOX_SPEED = 20;
const SANDBOX_POLL_MS = 20;
const CASE_WIDTH = 58;

/** `pollMs` is how often a real service is asked for what it does in the background. */
export type RunOptions = { tag: string; print: (line: string) => void; pollMs?: number };

/** Runs the suite and prints its table. Returns the exit code. */
export async function runContract(
  args: string[],
  env: Record<string, string | undefined>,
  { tag, print, pollMs }: RunOptions,
): Promise<number> {
  try {
    const { real, isVerbose, isHelp } = readTarget(args, env);
    if (isHelp) {
      print(USAGE);
      return 0;
    }
    if (real?.beehiiv) await refuseSubscriber(real.beehiiv);
    return await compare(real, { tag, print, isVerbose, ...(pollMs !== undefined && { pollMs }) });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    print(error.message);
    return 2;
  }
}

/** The suite deletes the address, so it may not be anybody's. */
async function refuseSubscriber(beehiiv: NonNullable<Target['beehiiv']>): Promise<void> {
  const { status } = await toBeehiiv(beehiiv)(lookUp(beehiiv.email)).catch(() => {
    throw new Refusal(`Beehiiv cannot be reached at ${beehiiv.url}.`);
  });
  if (status === 404) return;
  throw new Refusal(
    status === 200
      ? `${beehiiv.email} is a subscriber. Use a throw-away address: the suite deletes it.`
      : `Beehiiv answered ${status} to the look-up of the address: check key and publication.`,
  );
}

async function compare(
  real: Target | null,
  { tag, print, isVerbose, pollMs }: RunOptions & { isVerbose: boolean },
): Promise<number> {
  const startMs = Date.now();
  // Beehiiv's check of an address takes the sandbox a moment, too.
  const clock = { now: () => new Date(startMs + (Date.now() - startMs) * SANDBOX_SPEED) };
  const sandbox = await createSandbox({ requestsPerMinute: 0, clock });
  try {
    const { beehiivApiKey, beehiivPublicationId, stripeSecretKey } = sandbox.credentials;
    const here: Target = {
      stripe: {
        url: sandbox.url,
        key: stripeSecretKey,
        restrictedKey: `${stripeSecretKey.replace(/^sk/, 'rk')}_without_dispute_read`,
      },
      beehiiv: {
        url: `${sandbox.url}/v2`,
        key: beehiivApiKey,
        publicationId: beehiivPublicationId,
        email: real?.beehiiv?.email ?? DEFAULT_EMAIL,
      },
    };
    const expected = await runSuite(here, { tag, pollMs: SANDBOX_POLL_MS });
    print(row('case', 'sandbox', 'real service'));
    if (real === null) {
      for (const result of expected) printCase(result, null, { print, isVerbose });
      print('\nOnly the sandbox was asked. With test keys the real services are compared: npm run contract -- --help');
      return expected.some(({ faults }) => faults.length > 0) ? 1 : 0;
    }
    let isSame = true;
    const notAsked = expected.filter(({ service }) => !real[service]);
    for (const result of notAsked) isSame = printCase(result, null, { print, isVerbose }) && isSame;
    await runSuite(real, {
      tag,
      ...(pollMs !== undefined && { pollMs }),
      onCase(result) {
        const reference = expected.find(({ service, name }) => service === result.service && name === result.name);
        // A case without a step lacks the key that it needs.
        const isAsked = result.steps.length + result.faults.length > 0;
        if (reference) isSame = printCase(reference, isAsked ? result : null, { print, isVerbose }) && isSame;
      },
    });
    print(isSame ? '\nThe same.' : '\nSomething differs.');
    return isSame ? 0 : 1;
  } finally {
    await sandbox.close();
  }
}

/** Prints a case with what differs. Returns whether it is the same. */
function printCase(
  sandbox: CaseResult,
  real: CaseResult | null,
  { print, isVerbose }: { print: (line: string) => void; isVerbose: boolean },
): boolean {
  const { differences, more } = real ? compareCase(sandbox, real) : { differences: [], more: [] };
  const word = (isGood: boolean, otherwise: string) => (isGood ? 'ok' : otherwise);
  const there = real ? word(differences.length === 0, 'differs') : 'not asked';
  print(row(`${NAMES[sandbox.service]}: ${sandbox.name}`, word(sandbox.faults.length === 0, 'fails'), there));
  for (const fault of sandbox.faults) print(`    sandbox: ${fault}`);
  for (const difference of differences) print(`    ${difference}`);
  if (isVerbose) for (const each of more) print(`    also ${each}`);
  return sandbox.faults.length === 0 && differences.length === 0;
}

function row(name: string, sandbox: string, real: string): string {
  return `${name.padEnd(CASE_WIDTH)} ${sandbox.padEnd(10)} ${real}`;
}
