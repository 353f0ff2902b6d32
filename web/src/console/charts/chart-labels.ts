import type { Step, StepName } from './chart-days.ts';

const inUtc = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options });
const dayOf = inUtc({ day: 'numeric' });
const monthOf = inUtc({ month: 'short' });
const yearOf = inUtc({ year: 'numeric' });
const dayAndMonth = inUtc({ day: 'numeric', month: 'short' });
const monthAndYear = inUtc({ month: 'short', year: 'numeric' });

/** `20 Nov`: a calendar date. */
const formatDay = (day: string) => dayAndMonth.format(new Date(day));

/** `20 Nov to 3 Dec`. */
export function describeSpan(days: readonly { day: string }[]): string {
  const [first, last] = [days[0]?.day, days.at(-1)?.day].map((day) => day && formatDay(day));
  return first === last ? (first ?? '') : `${first} to ${last}`;
}

type Span = Pick<Step, 'from' | 'to'>;

/** The labels of a column of days: its name, its tick, and a second line where a month begins, or a year. */
export function labelStep({ from, to }: Span, step: StepName, before?: Span) {
  const at = new Date(from);
  const signs = step === 'month' ? 4 : 7;
  const isSameGroup = before?.from.slice(0, signs) === from.slice(0, signs);
  return {
    name: step === 'month' ? monthAndYear.format(at) : describeSpan([{ day: from }, { day: to }]),
    tick: (step === 'month' ? monthOf : dayOf).format(at),
    ...(isSameGroup ? {} : { group: (step === 'month' ? yearOf : monthOf).format(at) }),
  };
}

/** The name of a source in charts and tables. `isRest` stands for all but the largest. */
export function nameSource({ source, isRest = false }: { source: string | null; isRest?: boolean }): string {
  return source ?? (isRest ? 'all others' : '(none)');
}
