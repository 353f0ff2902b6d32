import { findFormFault, FORM_FIELD_NAMES } from '@site/schema/form-fields';
import type { FormField } from '@site/schema/form-fields';
import { toAnswer } from '@site/schema/page-render';
import type { PlainForm } from '@site/schema/page-render';
import { useEffect, useEffectEvent, useState } from 'react';
import { provideSiteSettings, siteSettings } from '../../site-settings.ts';
import { isTypedEarly } from '../../subscribe/early-typing.ts';
import { readDraft } from '../../subscribe/subscribe-draft.ts';
import { useSubscribeForm } from '../../subscribe/SubscribeForm.tsx';
import { useReturn } from '../../subscribe/use-return.ts';

/**
 * The form of the page, with what the server answered to it without scripts, until the scripts take it over. `form` is
 * what the server renders. `isCancelled`: Stripe led back here.
 */
export function usePostedForm(form: PlainForm | undefined, isCancelled: boolean) {
  const [answer] = useState(() => (form ? toAnswer(form) : siteSettings().answer));
  const { notice = null, faults = {}, asked = '' } = answer ?? {};
  const refusal = toRefusal(notice);
  const state = useSubscribeForm(form?.values, refusal);
  const isReturn = useReturn(answer ? notice?.kind === 'returned' : isCancelled);
  const hasFault = FORM_FIELD_NAMES.some((field) => faults[field]);
  const isAsked = asked !== '' && notice === null;
  const [found, setFound] = useState(hasFault || isAsked ? answer : undefined);
  // What was typed in this tab before, unless the page was opened by hand and somebody has typed in it.
  const fill = useEffectEvent(() => {
    const draft = readDraft();
    // Other values were put back by the browser, and are older.
    const isTyped = (field: FormField) =>
      isTypedEarly(field) && state.form.getValues(field) !== sentIn(field);
    const [navigation] = performance.getEntriesByType(
      'navigation',
    ) as PerformanceNavigationTiming[];
    const isNewForm = navigation?.type === 'navigate' && FORM_FIELD_NAMES.some(isTyped);
    if (draft && !isNewForm)
      for (const field of FORM_FIELD_NAMES)
        if (!isTyped(field)) state.form.setValue(field, draft.values[field]);
  });
  /** What has been corrected since it was sent is no mistake any more. */
  const takeOver = useEffectEvent(() => {
    const email = state.form.getValues('email');
    state.setFilled(email);
    // So that what was probably meant is named, unless somebody types it just now.
    const isTyped =
      document.activeElement instanceof HTMLInputElement && document.activeElement.name === 'email';
    if (found || (email && !isTyped)) state.form.setValue('email', email, { shouldTouch: true });
    setFound(undefined);
    // What has led to Stripe had no mistake.
    if (!found || isReturn) return;
    for (const field of FORM_FIELD_NAMES) {
      const value = state.form.getValues(field);
      const message =
        faults[field] &&
        (findFormFault(field, value) ?? (value === sentIn(field) ? faults[field] : undefined));
      if (message) state.form.setError(field, { message });
    }
    if (isAsked && email === asked) state.setAsked({ email, isOpen: true, wasOpen: false });
  });
  useEffect(() => {
    fill();
    // Who opens this page again within the site has no answer any more.
    provideSiteSettings({ ...siteSettings(), answer: undefined });
    // Until the page is shown, the browser may put back what was typed.
    if (document.readyState === 'complete') setTimeout(() => takeOver());
    else window.addEventListener('pageshow', () => takeOver(), { once: true });
  }, []);
  const mean = useEffectEvent(() =>
    state.setAsked({ email: state.form.getValues('email'), isOpen: false, wasOpen: false }),
  );
  useEffect(() => {
    // What has led to Stripe was meant. That the browser's Back led here is not known at first.
    if (isReturn) mean();
  }, [isReturn]);
  const isAnswered = isReturn || state.told.answers > 0;
  const problem = notice !== null && 'title' in notice && !isAnswered ? notice : null;
  return { state, found, isReturn, problem, from: answer?.from };
}

/** What was in a field when the page came. */
const sentIn = (field: FormField) =>
  document.querySelector<HTMLInputElement>(`main input[name="${field}"]`)?.defaultValue ?? '';

/** The server's refusal as the form says it. */
function toRefusal(notice: PlainForm['notice']) {
  if (notice?.kind === 'payer') return 'payer';
  return notice?.kind === 'already-subscribed' ? 'subscriber' : null;
}
