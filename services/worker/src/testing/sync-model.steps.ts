import type { Choice } from '@site/platform/outbox/claim';
import fc from 'fast-check';
import { SCRIPTS } from './scripted-newsletter.ts';
import type { Script } from './scripted-newsletter.ts';

/** The people who submit. For the last two, every request fails. */
const FINE = [0, 1, 2, 3];
export const FAILING = [4, 5];
export const emailOf = (person: number) => `person${person}@reader.example`;

const REMEDIES = ['add-again', 'set-premium', 'set-free'] as const;
type Remedy = (typeof REMEDIES)[number];

export type Step =
  | { do: 'intake'; person: number; isQueued: boolean }
  | { do: 'run'; choice: Choice; script: Script[]; failsAfter: number | null }
  | { do: 'two runs at once'; choices: [Choice, Choice]; script: Script[] }
  | { do: 'run while the worker stops' }
  | { do: 'sweep'; script: Script[]; prefersRetries: boolean }
  | { do: 'the key is'; isRefused: boolean }
  | { do: 'redis loses its data' }
  | { do: 'operator retries'; lead: number }
  | { do: 'bulk retry'; isStopped: boolean }
  | { do: 'operator corrects'; lead: number; person: number }
  | { do: 'is erased'; person: number }
  | { do: 'pays'; person: number; isPaying: boolean; isPayment: boolean }
  | { do: 'a repeat consents'; lead: number }
  | { do: 'operator asks for a remedy'; lead: number; remedy: Remedy }
  | { do: 'an event comes'; person: number }
  | { do: 'leaves'; person: number }
  | { do: 'time passes'; seconds: number };

const script = fc.array(fc.constantFrom(...SCRIPTS), { maxLength: 3 });
// Time that passes in one run would end the lease of the other, whose process is not frozen.
const timeless = script.map((scripts) =>
  scripts.filter((each) => each !== 'frozen' && each !== 'too-many'),
);
const lead = fc.nat(30);
const person = fc.constantFrom(...FINE, ...FAILING);
const fine = fc.constantFrom(...FINE);
const choice = fc.constantFrom<Choice>('urgent', 'urgent', 'retry');
const failsAfter = fc.option(fc.nat(12), { freq: 2 });

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('intake'), person, isQueued: fc.boolean() }),
  },
  { weight: 10, arbitrary: fc.record({ do: fc.constant('run'), choice, script, failsAfter }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('two runs at once'),
      choices: fc.tuple(choice, choice),
      script: timeless,
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('run while the worker stops') }) },
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('sweep'), script, prefersRetries: fc.boolean() }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('the key is'), isRefused: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('redis loses its data') }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('operator retries'), lead }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('bulk retry'), isStopped: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('operator corrects'), lead, person: fine }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('is erased'), person: fine }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('pays'),
      person: fine,
      isPaying: fc.boolean(),
      isPayment: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('a repeat consents'), lead }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('operator asks for a remedy'),
      lead,
      remedy: fc.constantFrom(...REMEDIES),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('an event comes'), person }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('leaves'), person: fine }) },
  // The clock is set back, as after a repair.
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('time passes'), seconds: fc.constant(-3_600) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('time passes'),
      seconds: fc.constantFrom(1, 16, 46, 600, 25_000, 90_000),
    }),
  },
);

export const stepsUpTo = (maxLength: number): fc.Arbitrary<Step[]> =>
  fc.array(step, { minLength: 4, maxLength, size: 'max' });
