import { FORM_FIELD_NAMES } from '@site/schema/form-fields';
import { OFFER } from '@site/schema/offer';
import { toAnswer } from '@site/schema/page-render';
import type { PlainForm } from '@site/schema/page-render';
import { useEffect, useEffectEvent, useState } from 'react';
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
import { Notice } from '../../subscribe/Reassurance.tsx';
import { isSubscribeButton, readDraft } from '../../subscribe/subscribe-draft.ts';
import { SubscribeForm, Terms, useSubscribeForm } from '../../subscribe/SubscribeForm.tsx';
import { useReturn } from '../../subscribe/use-return.ts';
import { useInBrowser } from '../../ui/use-in-browser.ts';
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
 * The subscribe form as a page. Without scripts, the browser posts the form, and the server
 * redirects to checkout or answers with the filled page. With scripts it is the dialog's form.
 * Only the server passes `form`.
 */
export function SubscribePage({ form }: { form?: PlainForm | undefined }) {
  const query = readQuery(useSiteLocation().search);
  const from = query.get('from');
  const isCancelled = query.get('checkout') === 'cancelled';
  const { state, found, isReturn, problem, sentFrom } = useAnsweredForm(form, isCancelled);
  const { submitCount } = state.form.formState;
  const { portalLoginUrl } = siteSettings();
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
              from={isSubscribeButton(from) ? from : (readDraft()?.from ?? sentFrom ?? 'nav_sub')}
              openedAt={undefined}
              state={
                isReturn &&
                state.told.answers === 0 &&
                state.told.setback === null &&
                submitCount === 0
                  ? { ...state, told: { ...state.told, setback: 'returned' } }
                  : state
              }
              found={found}
              hidden={<HiddenFields form={form} />}
              notice={
                problem &&
                problem.kind !== 'already-subscribed' && (
                  <Notice title={problem.title} hasFailed isAnswer={false}>
                    <p>
                      <WithSupport text={problem.detail} />{' '}
                      {problem.kind === 'too-many-requests'
                        ? 'Nothing was charged, and your'
                        : 'Your'}{' '}
                      details are still in the form.
                    </p>
                  </Notice>
                )
              }
            />
            {portalLoginUrl !== null && state.told.setback !== 'subscriber' && (
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

/** The page's form, with what the server answered. `isCancelled`: Stripe redirected here. */
function useAnsweredForm(form: PlainForm | undefined, isCancelled: boolean) {
  const [answer] = useState(() => (form ? toAnswer(form) : siteSettings().answer));
  const { notice = null, faults = {} } = answer ?? {};
  const refusal = notice !== null && 'title' in notice ? notice : null;
  const isSubscriber = refusal?.kind === 'already-subscribed';
  const state = useSubscribeForm(form?.values, isSubscriber ? 'subscriber' : null);
  const isReturn = useReturn(answer ? notice?.kind === 'returned' : isCancelled);
  const hasFault = FORM_FIELD_NAMES.some((field) => faults[field]);
  const isHydrated = useInBrowser(
    () => true,
    () => false,
  );
  const begin = useEffectEvent(() => {
    const { getValues, setError, setValue } = state.form;
    const draft = hasFault ? null : readDraft();
    for (const field of FORM_FIELD_NAMES) {
      if (draft && !getValues(field)) setValue(field, draft.values[field]);
      if (faults[field]) setError(field, { message: faults[field] });
    }
    // The page has no answer when it is opened again within the site.
    provideSiteSettings({ ...siteSettings(), answer: undefined });
  });
  useEffect(() => begin(), []);
  return {
    state,
    found: hasFault && !isHydrated ? answer : undefined,
    isReturn,
    problem: isReturn || state.told.answers > 0 ? null : refusal,
    sentFrom: answer?.from,
  };
}

/** What a plain post sends with the fields. Only the server knows it, so the browser keeps what is in the page. */
function HiddenFields({ form }: { form: PlainForm | undefined }) {
  const fields = {
    from: form?.from,
    intentId: form?.intentId,
    landingPage: form?.landingPage,
    consentTextVersion: shownConsentVersion(),
  };
  return Object.entries(fields).map(([name, value]) => (
    <input key={name} type="hidden" name={name} value={value} suppressHydrationWarning />
  ));
}
