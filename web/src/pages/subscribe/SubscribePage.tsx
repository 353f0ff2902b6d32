import { buildFormValues, FORM_FIELD_NAMES } from '@site/schema/form-fields';
import { OFFER } from '@site/schema/offer';
import type { PlainForm } from '@site/schema/page-render';
import { PageHead } from '../../site/PageHead.tsx';
import { SiteFooter, SUBSCRIBE } from '../../site/SiteFooter.tsx';
import { SiteHeader } from '../../site/SiteHeader.tsx';
import { SupportLink } from '../../site/SupportLink.tsx';
import { siteSettings } from '../../site-settings.ts';
import { ConsentText, shownConsentVersion } from '../../subscribe/ConsentText.tsx';
import { suggestEmail } from '../../subscribe/email-hint.ts';
import { NextSteps } from '../../subscribe/NextSteps.tsx';
import { Notice, SetbackNotice } from '../../subscribe/Notice.tsx';
import { SubscribeFields } from '../../subscribe/SubscribeFields.tsx';
import formStyles from '../../subscribe/SubscribeForm.module.css';
import { Terms } from '../../subscribe/Terms.tsx';
import { Button } from '../../ui/Button.tsx';
import styles from './SubscribePage.module.css';

const EMPTY: PlainForm = {
  from: 'nav_sub',
  values: buildFormValues(() => ''),
  errors: {},
  notice: null,
  intentId: '',
  landingPage: '',
};

/**
 * Renders the subscribe form as a page. The browser posts it, and the server redirects to checkout
 * or answers with the filled page. Needs no script.
 */
export function SubscribePage({ form = EMPTY }: { form: PlainForm | undefined }) {
  const { from, values, errors, notice, intentId, landingPage } = form;
  const { portalLoginUrl } = siteSettings();
  const invalid = FORM_FIELD_NAMES.find((field) => errors[field]);
  const isRefused = notice !== null && notice.kind !== 'returned';
  const heading = `Subscribe to ${OFFER.productName}`;
  const hidden = { from, intentId, landingPage, consentTextVersion: shownConsentVersion() };
  return (
    <>
      <title>{`${isRefused ? 'Not opened: ' : invalid ? 'Please check: ' : ''}${heading}`}</title>
      <meta name="robots" content="noindex" />
      <SiteHeader />
      <main id="form" className={`page ${styles.page}`}>
        <PageHead heading={heading}>
          <p>
            <Terms />
          </p>
        </PageHead>
        <div className={styles.columns}>
          <div>
            {/* The server's messages explain more than the browser's. */}
            <form method="post" action="/subscribe" className={formStyles.form} noValidate>
              <SubscribeFields
                errors={errors}
                meant={errors.email && suggestEmail(values.email)}
                inputOf={(field) => ({
                  defaultValue: values[field],
                  // oxlint-disable-next-line jsx-a11y/no-autofocus -- it answers a mistake
                  autoFocus: field === invalid,
                })}
              />
              {Object.entries(hidden).map(([name, value]) => (
                <input key={name} type="hidden" name={name} value={value} />
              ))}
              <div className={formStyles.end}>
                <ConsentText />
                {notice && (
                  // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page answers a press
                  <div tabIndex={-1} autoFocus>
                    <Answer notice={notice} />
                  </div>
                )}
                <Button type="submit">Continue to checkout</Button>
              </div>
            </form>
            {portalLoginUrl !== null && notice?.kind !== 'already-subscribed' && (
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

function Answer({ notice }: { notice: NonNullable<PlainForm['notice']> }) {
  if (notice.kind === 'returned') return <SetbackNotice setback="returned" />;
  if (notice.kind === 'already-subscribed') return <SetbackNotice setback="subscriber" />;
  const [before, after] = notice.detail.split('contact support');
  return (
    <Notice title={notice.title} hasFailed>
      {before}
      {after !== undefined && <SupportLink>contact support</SupportLink>}
      {after} {notice.kind === 'too-many-requests' ? 'Nothing was charged, and your' : 'Your'}{' '}
      details are still in the form.
    </Notice>
  );
}
