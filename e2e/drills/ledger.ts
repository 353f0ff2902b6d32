import { problemDocument } from '@site/schema/calls/call';
import { leadIntakeAnswer } from '@site/schema/calls/visitor';
import { FORM_TYPES } from '@site/schema/lead';
import type { FormType } from '@site/schema/lead';
import type { LeadIntakeRequest } from '@site/schema/lead-intake';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** A visitor's submission, repeated unchanged until it is accepted. */
export type Submission = { email: string; formType: FormType; idempotencyKey: string };

export type Accepted = Submission & { leadId: string };
export type Refused = Submission & { status: number; problem: string };

/** The product's answers to visitors: every accepted lead and every refusal. */
export type Ledger = {
  accepted: Accepted[];
  refused: Refused[];
  /** Refusals that were not valid problem documents. */
  malformed: string[];
  /** Requests without an answer. */
  unanswered: number;
  slowestMs: number;
  /** Sends a submission once. Returns true if it was accepted. */
  send(submission: Submission): Promise<boolean>;
  /** Sends a submission with its key until an API accepts it, as a browser does. */
  submit(given?: Partial<Submission>): Promise<void>;
  /** Sends new visitors at a constant rate. Some use both forms. */
  visit(perSecond: number): Visits;
};

export type Visits = {
  /** Stops sending new visitors and waits until all have been accepted. */
  end(): Promise<void>;
};

const TRY_AGAIN_MS = 150;
const ANSWER_DEADLINE_MS = 15_000;
/** Every nth visitor also requests the sample. */
const SECOND_FORM_EVERY = 10;

/** Creates a ledger that sends leads to the APIs in turn. */
export function createLedger(apiUrls: () => string[]): Ledger {
  let turn = 0;
  const ledger: Ledger = {
    accepted: [],
    refused: [],
    malformed: [],
    unanswered: 0,
    slowestMs: 0,
    async send(submission) {
      const urls = apiUrls();
      const url = urls[turn++ % urls.length] ?? '';
      const since = performance.now();
      try {
        const answer = await fetch(`${url}/api/lead/subscribe`, toRequest(submission));
        const body = await answer.text();
        ledger.slowestMs = Math.max(ledger.slowestMs, performance.now() - since);
        if (answer.status === 201 || answer.status === 200) {
          ledger.accepted.push({
            ...submission,
            leadId: leadIntakeAnswer.parse(JSON.parse(body)).id,
          });
          return true;
        }
        const problem = readProblem(answer, body);
        if (problem === null) ledger.malformed.push(`${answer.status} ${body.slice(0, 200)}`);
        ledger.refused.push({ ...submission, status: answer.status, problem: problem ?? '' });
      } catch {
        ledger.unanswered += 1;
      }
      return false;
    },
    async submit(given = {}) {
      const submission = newSubmission(given);
      while (!(await ledger.send(submission))) await sleep(TRY_AGAIN_MS);
    },
    visit(perSecond) {
      const under = new Set<Promise<void>>();
      let visitors = 0;
      const arrive = async () => {
        const email = `${randomUUID()}@reader.example`;
        visitors += 1;
        const forms = visitors % SECOND_FORM_EVERY === 0 ? FORM_TYPES : (['pre_buy'] as const);
        await Promise.all(forms.map((formType) => ledger.submit({ email, formType })));
      };
      const timer = setInterval(() => {
        const visit = arrive().finally(() => under.delete(visit));
        under.add(visit);
      }, 1_000 / perSecond);
      return {
        async end() {
          clearInterval(timer);
          await Promise.all(under);
        },
      };
    },
  };
  return ledger;
}

export function newSubmission(given: Partial<Submission> = {}): Submission {
  return {
    email: `${randomUUID()}@reader.example`,
    formType: 'pre_buy',
    idempotencyKey: randomUUID(),
    ...given,
  };
}

function toRequest({ email, formType, idempotencyKey }: Submission): RequestInit {
  const body: LeadIntakeRequest = {
    email,
    formType,
    fullName: 'Priya Raman',
    consentMarketing: true,
    elapsedMs: 9_000,
  };
  return {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': idempotencyKey },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(ANSWER_DEADLINE_MS),
  };
}

/** Returns the refusal's type, or null if it is not a problem document with the right status. */
function readProblem(answer: Response, body: string): string | null {
  if (!answer.headers.get('content-type')?.startsWith('application/problem+json')) return null;
  try {
    const problem = problemDocument.parse(JSON.parse(body));
    return problem.status === answer.status ? problem.type : null;
  } catch {
    return null;
  }
}
