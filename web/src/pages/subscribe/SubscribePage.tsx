import { OFFER } from '@site/schema/offer';
import type { PlainForm } from '@site/schema/page-render';
import { readQuery } from '../../analytics/hidden-query.ts';
import page from '../../site/page.module.css';
import { PageHead } from '../../site/PageHead.tsx';
import { SiteFooter, SUBSCRIBE } from '../../site/SiteFooter.tsx';
import { SiteHeader } from '../../site/SiteHeader.tsx';
import { useSiteLocation } from '../../site/site-location.tsx';
import { SupportLink } from '../../site/SupportLink.tsx';
import { siteSettings } from '../../site-settings.ts';
import { shownConsentVersion } from '../../subscribe/ConsentText.tsx';
import { NextSteps } from '../../subscribe/NextSteps.tsx';
import { isSubscriber, Notice } from '../../subscribe/Reassurance.tsx';
import { isSubscribeButton, readDraft } from '../../subscribe/subscribe-draft.ts';
import { SubscribeForm, Terms } from '../../subscribe/SubscribeForm.tsx';
import styles from './SubscribePage.module.css';
import { usePostedForm } from './use-posted-form.ts';

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
  const { state, found, isReturn, problem, ...answer } = usePostedForm(
    form,
    query.get('checkout') === 'cancelled',
  );
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
              from={
                isSubscribeButton(from) ? from : (readDraft()?.from ?? answer.from ?? 'nav_sub')
              }
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
