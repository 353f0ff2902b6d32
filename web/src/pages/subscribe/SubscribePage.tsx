import { findFormFault, FORM_FIELD_NAMES } from '@site/schema/form-fields';
import { OFFER } from '@site/schema/offer';
import { useEffect, useEffectEvent, useState } from 'react';
import { toAnswer } from '@site/schema/page-render';
import type { PlainForm } from '@site/schema/page-render';
import { readQuery } from '../../analytics/hidden-query.ts';
import page from '../../site/page.module.css';
import { PageHead } from '../../site/PageHead.tsx';
import { SiteFooter, SUBSCRIBE } from '../../site/SiteFooter.tsx';
import { SiteHeader } from '../../site/SiteHeader.tsx';
import { useSiteLocation } from '../../site/site-location.tsx';
import { SupportLink } from '../../site/SupportLink.tsx';
import { provideSiteSettings, siteSettings } from '../../site-settings.ts';
import { shownConsentVersion } from '../../subscribe/ConsentText.tsx';
import { NextSteps } from '../../subscribe/NextSteps.tsx';
import { isSubscriber, Notice } from '../../subscribe/Reassurance.tsx';
import { isSubscribeButton, readDraft } from '../../subscribe/subscribe-draft.ts';
import { SubscribeForm, Terms, useSubscribeForm } from '../../subscribe/SubscribeForm.tsx';
import { useReturn } from '../../subscribe/use-return.ts';
import styles from './SubscribePage.module.css';

/** A text of the server, which has no links, with one to support. */
function WithSupport({ text }: { text: string }) {
  const [before, after] = text.split('contact support');
  if (after === undefined) return text;
  return (
    <>
      {before}
      <SupportLink>contact support</SupportLink>
      {after}
    </>
  );
}

/**
 * The subscribe form as a page. Without scripts, the browser posts the form, and the server redirects to checkout or
 * answers with this page and what is wrong. When the scripts come, it becomes the dialog's form. `form` is what the server
 * renders.
 */
export function SubscribePage({ form }: { form?: PlainForm | undefined }) {
  const query = readQuery(useSiteLocation().search);
  const from = query.get('from');
  const [answer] = useState(() => (form ? toAnswer(form) : siteSettings().answer));
  const { notice = null, faults = {}, asked = '' } = answer ?? {};
  const refusal = toRefusal(notice);
  const state = useSubscribeForm(form?.values, refusal);
  const { submitCount } = state.form.formState;
  const isReturn = useReturn(answer ? notice?.kind === 'returned' : query.get('checkout') === 'cancelled');
  const hasFault = FORM_FIELD_NAMES.some((field) => faults[field]);
  const isAsked = asked !== '' && notice === null;
  const [found, setFound] = useState(hasFault || isAsked ? answer : undefined);
  // What was typed in this tab, unless somebody has begun to fill in the form.
  const fill = useEffectEvent(() => {
    const draft = readDraft();
    const isFilled =
      Object.values(state.form.getValues()).some(Boolean) || document.activeElement instanceof HTMLInputElement;
    // Before anything is pressed, what is in the fields was put back by the browser, and is older.
    const isPressed = !('userActivation' in navigator) || navigator.userActivation.hasBeenActive;
    if (draft && !(isFilled && isPressed))
      for (const field of FORM_FIELD_NAMES) state.form.setValue(field, draft.values[field]);
    // What has led to Stripe was meant.
    if (isReturn) state.setAsked({ email: state.form.getValues('email'), isOpen: false, wasOpen: false });
  });
  /** What has been corrected since it was sent is no mistake any more. */
  const takeOver = useEffectEvent(() => {
    if (!found) return;
    for (const field of FORM_FIELD_NAMES) {
      const value = state.form.getValues(field);
      const sent = document.querySelector<HTMLInputElement>(`main input[name="${field}"]`)?.defaultValue;
      const message = faults[field] && (findFormFault(field, value) ?? (value === sent ? faults[field] : undefined));
      if (message) state.form.setError(field, { message });
    }
    const email = state.form.getValues('email');
    // So that what was probably meant is named.
    state.form.setValue('email', email, { shouldTouch: true });
    if (isAsked && email === asked) state.setAsked({ email, isOpen: true, wasOpen: false });
    setFound(undefined);
  });
  useEffect(() => {
    fill();
    // Who opens this page again within the site has no answer any more.
    provideSiteSettings({ ...siteSettings(), answer: undefined });
    // Until it is shown, the browser may put back what was typed.
    const isShown = document.readyState === 'complete';
    if (isShown) setTimeout(() => takeOver());
    else window.addEventListener('pageshow', () => takeOver(), { once: true });
  }, []);
  const { portalLoginUrl } = siteSettings();
  const problem = notice !== null && 'title' in notice && state.told.answers === 0 ? notice : null;
  const heading = `Subscribe to ${OFFER.productName}`;
  return (
    <>
      <title>{`${problem ? 'Not opened: ' : found ? 'Please check: ' : ''}${heading}`}</title>
      <meta name="robots" content="noindex" />
      <SiteHeader />
      <main id="form" className={`${page.page} ${styles.page}`}>
        <PageHead heading={heading}>
          <p>
            <Terms />
          </p>
        </PageHead>
        <div className={styles.columns}>
          <div>
            <SubscribeForm
              className={undefined}
              from={isSubscribeButton(from) ? from : (readDraft()?.from ?? answer?.from ?? 'nav_sub')}
              openedAt={undefined}
              state={
                isReturn && state.told.answers === 0 && state.told.setback === null && submitCount === 0
                  ? { ...state, told: { ...state.told, setback: 'returned' } }
                  : state
              }
              found={found}
              hidden={<HiddenFields form={form} />}
              notice={
                problem &&
                !refusal && (
                  <Notice title={problem.title} hasFailed isAnswer={false}>
                    <p>
                      <WithSupport text={problem.detail} />{' '}
                      {problem.kind === 'too-many-requests' ? 'Nothing was charged, and your' : 'Your'} details are
                      still in the form.
                    </p>
                  </Notice>
                )
              }
            />
            {portalLoginUrl !== null && !isSubscriber(state.told.setback) && (
              <p className={styles.portal}>
                Already subscribed? <a href={portalLoginUrl}>Manage subscription</a>
              </p>
            )}
          </div>
          <NextSteps level="h2" />
        </div>
      </main>
      <SiteFooter subscribe={<a href="#form">{SUBSCRIBE}</a>} />
    </>
  );
}

/** The server's refusal as the form says it. */
function toRefusal(notice: PlainForm['notice']) {
  if (notice?.kind === 'payer') return 'payer';
  return notice?.kind === 'already-subscribed' ? 'subscriber' : null;
}

/** What a plain post sends with the fields. Only the server knows it, so the browser keeps what is in the page. */
function HiddenFields({ form }: { form: PlainForm | undefined }) {
  const fields = {
    from: form?.from,
    intentId: form?.intentId,
    landingPage: form?.landingPage,
    asked: form?.asked,
    consentTextVersion: shownConsentVersion(),
  };
  return Object.entries(fields).map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value} suppressHydrationWarning />
  ));
}
