import type { z } from 'zod';
import type { Call, CallName } from './call.ts';
import { accountCalls } from './account.ts';
import { moneyCalls } from './money.ts';
import { auditCalls } from './audit.ts';
import { leadCalls } from './leads.ts';
import { differenceCalls } from './differences.ts';
import { operationsCalls } from './operations.ts';
import { overviewCalls } from './overview.ts';
import { peopleCalls } from './people.ts';
import { privacyCalls } from './privacy.ts';
import { retryCalls } from './retry.ts';
import { setUpCalls } from './set-up.ts';
import { subscriptionCalls } from './subscriptions.ts';
import { syncCalls } from './sync.ts';
import { visitorCalls } from './visitor.ts';

/**
 * Every call of the API. Pages import only its type, so that no schema reaches a visitor's browser.
 */
export const CALLS = {
  ...visitorCalls,
  ...accountCalls,
  ...leadCalls,
  ...retryCalls,
  ...syncCalls,
  ...setUpCalls,
  ...auditCalls,
  ...peopleCalls,
  ...privacyCalls,
  ...moneyCalls,
  ...overviewCalls,
  ...differenceCalls,
  ...subscriptionCalls,
  ...operationsCalls,
} satisfies Record<CallName, Call>;

export type Calls = typeof CALLS;
export type KnownCall = keyof Calls;

/** The path parameters that a call's template names. */
export type PathParams<Path extends string> = Path extends `${string}:${infer Param}/${infer Rest}`
  ? Record<Param, string | number> & PathParams<`/${Rest}`>
  : Path extends `${string}:${infer Param}`
    ? Record<Param, string | number>
    : unknown;

type Sent<Name extends KnownCall, Part extends string> =
  Calls[Name] extends Record<Part, infer Schema extends z.ZodType> ? Schema : never;
type Query<Name extends KnownCall> = z.output<Sent<Name, 'query'>>;

/** The input of a call. A query value that is null, undefined or empty is left out. */
export type CallRequest<Name extends KnownCall> = (PathParams<Name> extends infer Params
  ? unknown extends Params
    ? unknown
    : { params: Params }
  : never) &
  ([Sent<Name, 'query'>] extends [never]
    ? unknown
    : Record<string, never> extends Query<Name>
      ? { query?: Nullable<Query<Name>> }
      : { query: Nullable<Query<Name>> }) &
  ([Sent<Name, 'body'>] extends [never] ? unknown : { body: z.input<Sent<Name, 'body'>> });

/** The body of a call, as the API reads it. */
export type CallBody<Name extends KnownCall> = z.output<Sent<Name, 'body'>>;

type Nullable<T> = { [K in keyof T]: T[K] | null };

type Success = 200 | 201 | 202 | 204;
type AnswerOf<Answer> = Answer extends { schema: infer Schema extends z.ZodType }
  ? z.output<Schema>
  : undefined;
type CallAnswers = {
  [Name in KnownCall]: {
    [Status in keyof Calls[Name]['answers'] & Success]: AnswerOf<Calls[Name]['answers'][Status]>;
  }[keyof Calls[Name]['answers'] & Success];
};

/** The successful answer of a call: JSON, or undefined without a body. */
export type CallAnswer<Name extends KnownCall> = CallAnswers[Name];

/** The answer as the API passes it, before JSON. */
export type CallSent<Name extends KnownCall> = Calls[Name]['answers'] extends {
  200: { schema: infer Schema extends z.ZodType };
}
  ? z.input<Schema>
  : never;

/**
 * Finds the template of a path, such as `/api/admin/leads/:id`, or returns null. Accepts a trailing
 * slash, as the router does. A fixed path wins over a template.
 */
export function createPathMatcher(patterns: readonly string[]): (path: string) => string | null {
  const isFixed = (pattern: string) => !pattern.includes(':');
  const fixed = new Set(patterns.filter(isFixed));
  const open = patterns
    .filter((pattern) => !isFixed(pattern))
    .map((pattern) => ({
      pattern,
      regex: new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}$`),
    }));
  return (path) => {
    const plain = path.length > 1 ? path.replace(/\/$/, '') : path;
    return fixed.has(plain)
      ? plain
      : (open.find(({ regex }) => regex.test(plain))?.pattern ?? null);
  };
}
