import { expect, test } from 'vitest';

import { createRepeatFilter, toTerminalLine } from './log-lines.ts';

test('an info line is not shown', () => {
  expect(toTerminalLine('{"level":30,"time":1,"msg":"lead sent","leadId":"a"}')).toBeUndefined();
});

test('a warning is shown with its fields, an error with its message', () => {
  expect(
    toTerminalLine(
      '{"level":40,"time":1,"pid":7,"hostname":"h","msg":"queue is unreachable","tookMs":5}',
    ),
  ).toBe('warning: queue is unreachable (tookMs=5)');
  expect(
    toTerminalLine('{"level":50,"msg":"broken","err":{"type":"Error","message":"no","stack":"…"}}'),
  ).toBe('error: broken (err=no)');
});

test.each(['PORT is missing.', '{ not json', '{"other":1}'])(
  'other text is shown unchanged: %s',
  (line) => {
    expect(toTerminalLine(line)).toBe(line);
  },
);

test('a repeated message is shown once in ten seconds with its count', () => {
  let now = 0;
  const filter = createRepeatFilter(() => now);
  const show = (atMs: number, line: string) => {
    now = atMs;
    return filter(line);
  };

  expect(show(0, 'warning: slow (id=1)')).toBe('warning: slow (id=1)');
  expect(show(9_000, 'warning: slow (id=2)')).toBeUndefined();
  expect(show(9_500, 'error: other')).toBe('error: other');
  expect(show(10_000, 'warning: slow (id=3)')).toBe('warning: slow (id=3) [and 1 more like it]');
});
