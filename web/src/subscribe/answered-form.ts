import { buildFormValues, FORM_FIELD_NAMES } from '@site/schema/form-fields';
import { hasSubscribed, isSubscribeButton, readDraft, saveDraft } from './subscribe-draft.ts';

const inputOf = (name: string) => document.querySelector<HTMLInputElement>(`main input[name="${name}"]`);

/**
 * Follows a form that the server answered, and that stays a plain one when the scripts come: what was corrected is no
 * mistake any more, is there after a reload, and replaces an older draft.
 */
export function followAnsweredForm(): void {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  // Of this form, which was left before.
  const draft = navigation?.type === 'reload' || navigation?.type === 'back_forward' ? readDraft() : null;
  for (const name of FORM_FIELD_NAMES) {
    const input = inputOf(name);
    if (!input) continue;
    if (draft && input.value === input.defaultValue) input.value = draft.values[name];
    const check = () => input.value !== input.defaultValue && forgetMistake(input);
    check();
    // The browser puts back what was typed when the page has loaded.
    window.addEventListener('pageshow', check);
    input.addEventListener('input', () => forgetMistake(input));
  }
  window.addEventListener('pagehide', () => {
    const from = inputOf('from')?.value;
    const values = buildFormValues((name) => inputOf(name)?.value ?? '');
    if (isSubscribeButton(from) && !hasSubscribed()) saveDraft({ from, values });
  });
}

/** Takes back what is said of a field, and of the page once nothing is. */
function forgetMistake(input: HTMLInputElement): void {
  input.removeAttribute('aria-invalid');
  document.getElementById(input.getAttribute('aria-describedby') ?? '')?.replaceChildren();
  if (!document.querySelector('[aria-invalid]')) document.title = document.title.replace('Please check: ', '');
}
