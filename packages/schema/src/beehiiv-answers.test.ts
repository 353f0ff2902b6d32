import { expect, test } from 'vitest';
import { BEEHIIV_ANSWERS, toAnswerText, findReason } from './beehiiv-answers.ts';
import type { BeehiivAnswer } from './beehiiv-answers.ts';

const ANSWERS = Object.entries<BeehiivAnswer>(BEEHIIV_ANSWERS);

test('each status means one answer, and each answer fits its column', () => {
  for (const [reason, { statuses = [], asked: [asked] = [], said, label }] of ANSWERS) {
    expect(reason).toMatch(/^[a-z-]{1,40}$/);
    for (const status of statuses) expect(findReason(status, asked, said?.source)).toBe(reason);
    expect(toAnswerText(reason)).toBe(label);
  }
});

test('a reason that this version does not know describes itself', () => {
  expect(toAnswerText('a-word-of-tomorrow')).toBe('a-word-of-tomorrow');
  expect(toAnswerText('constructor')).toBe('constructor');
});
