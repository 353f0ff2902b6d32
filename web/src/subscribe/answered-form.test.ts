import { buildFormValues } from '@site/schema/form-fields';
import { expect, vi } from 'vitest';
import { test } from '../testing/component-test.tsx';
import { followAnsweredForm } from './answered-form.ts';
import { readDraft, saveDraft } from './subscribe-draft.ts';

/** The page that answered a mistake in the address. Returns the field. */
function showAnswer(): HTMLInputElement {
  document.title = 'Please check: Subscribe';
  document.body.innerHTML = `<main>
    <input type="hidden" name="from" value="top_sub"><input name="fullName" value="Ivy">
    <input name="email" value="ivy37" aria-invalid="true" aria-describedby="fault"><p id="fault">Invalid email</p>
  </main>`;
  return document.querySelector<HTMLInputElement>('[name="email"]')!;
}

const isForgotten = (input: HTMLInputElement) =>
  !input.hasAttribute('aria-invalid') &&
  document.getElementById('fault')?.textContent === '' &&
  document.title === 'Subscribe';

const draftOf = (email: string) => ({
  from: 'top_sub' as const,
  values: buildFormValues((name) => ({ fullName: 'Ivy', email })[name as string] ?? ''),
});

test('a mistake that is corrected is none any more, before the scripts came and after', () => {
  const corrected = showAnswer();
  corrected.value = 'ivy37@reader.example';
  followAnsweredForm();
  expect(isForgotten(corrected)).toBe(true);

  const input = showAnswer();
  followAnsweredForm();
  expect(isForgotten(input)).toBe(false);
  input.dispatchEvent(new Event('input'));
  expect(isForgotten(input)).toBe(true);
});

test('what was typed replaces an older draft, and is there after a reload', () => {
  saveDraft(draftOf('dora@reader.example'));
  const input = showAnswer();
  followAnsweredForm();
  expect(input.value).toBe('ivy37');
  input.value = 'ivy37@reader.example';
  window.dispatchEvent(new Event('pagehide'));
  expect(readDraft()).toMatchObject(draftOf('ivy37@reader.example'));

  const again = showAnswer();
  vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type: 'reload' }] as unknown as PerformanceEntryList);
  followAnsweredForm();
  expect(again.value).toBe('ivy37@reader.example');
  expect(isForgotten(again)).toBe(true);
});
