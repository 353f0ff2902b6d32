/*
 * The shape of the contract suite: cases that make real calls over HTTP to one target, the sandbox or a real service.
 * Next: stripe-cases.ts and beehiiv-cases.ts, run by run-suite.ts.
 */

export type Service = 'stripe' | 'beehiiv';

/** Where the cases run. A service that is not given is left out. */
export type Target = {
  /** `restrictedKey` may not read disputes. */
  stripe?: { url: string; key: string; restrictedKey?: string };
  beehiiv?: { url: string; key: string; publicationId: string; email: string };
};

export type Answer = { status: number; headers: Headers; body: unknown };
export type Call = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  path: string;
  params?: Record<string, unknown>;
  headers?: Record<string, string>;
};
/** An answer that is compared with the other target's answer to the step of that name. */
export type Step = { name: string; status: number; body: unknown };

export type Calls = {
  /** Distinguishes this run's objects from those of any other. */
  tag: string;
  /** Makes a call and records the answer. `show` chooses the part that is compared, if not the whole body. */
  call(step: string, call: Call, show?: (body: unknown) => unknown): Promise<Answer>;
  /** Repeats a call until its answer is as wanted, for what a service does in the background. Records the last one. */
  until(
    step: string,
    call: Call,
    isWanted: (answer: Answer) => boolean,
    show?: (body: unknown) => unknown,
  ): Promise<Answer>;
  /** Records what does not hold. */
  expect(holds: boolean, sentence: string): void;
  /** Runs a call after the case, the newest first, whatever happened. It is not compared. */
  cleanUp(call: Call): void;
};

export type Case = { name: string; run: (calls: Calls, target: Target) => Promise<void> };

export type CaseResult = { service: Service; name: string; steps: Step[]; faults: string[] };
