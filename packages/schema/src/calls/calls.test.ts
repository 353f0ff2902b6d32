import { describe, expect, test } from 'vitest';
import type { Call } from './call.ts';
import { CALLS, createPathMatcher } from './calls.ts';

const calls = Object.entries<Call>(CALLS);

describe('the declared calls', () => {
  test.for(calls)(
    '%s has a schema for exactly the parameters of its path',
    ([name, { params }]) => {
      expect(Object.keys(params?.shape ?? {})).toEqual(
        [...name.matchAll(/:(\w+)/g)].map(([, param]) => param),
      );
    },
  );

  test.for(calls)('%s sends a body only with POST', ([name, { body }]) => {
    expect(body === undefined || name.startsWith('POST ')).toBe(true);
  });
});

describe('the template of a path', () => {
  const match = createPathMatcher([
    '/',
    '/leads',
    '/leads/retry',
    '/leads/:id',
    '/leads/:id/correct',
  ]);

  test.for([
    ['/', '/'],
    ['/leads', '/leads'],
    ['/leads/', '/leads'],
    ['/Leads', null],
    ['/leads/retry', '/leads/retry'],
    ['/leads/0190', '/leads/:id'],
    ['/leads/0190/correct', '/leads/:id/correct'],
    ['/leads/0190/more', null],
  ] as const)('the template of the path %s is %s', ([path, template]) => {
    expect(match(path)).toBe(template);
  });
});
