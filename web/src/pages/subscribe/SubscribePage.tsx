import { buildFormValues, FORM_FIELD_NAMES, FORM_FIELDS } from '@site/schema/form-fields';
import { OFFER } from '@site/schema/offer';
import type { PlainForm } from '@site/schema/page-render';
import page from '../../site/page.module.css';
import { PageHead } from '../../site/PageHead.tsx';
import { shownOffer } from '../../site/shown-offer.ts';
import { SiteHeader } from '../../site/SiteHeader.tsx';
import { SupportLink } from '../../site/SupportLink.tsx';
import { siteSettings } from '../../site-settings.ts';
import { ConsentText, shownConsentVersion } from '../../subscribe/ConsentText.tsx';
import { NextSteps } from '../../subscribe/NextSteps.tsx';
import { suggestEmail } from '../../subscribe/email-hint.ts';
import { Honeypot } from '../../subscribe/Honeypot.tsx';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { NoBreak } from '../../ui/NoBreak.tsx';
import styles from './SubscribePage.module.css';

const EMPTY: PlainForm = {
  from: 'nav_sub',
  values: buildFormValues(() => ''),
  faults: {},
  notice: null,
  intentId: '',
  landingPage: '',
};

/** What is wrong with the address, and which one was probably meant. */
function describeEmail(fault: string | undefined, email: string): string | undefined {
  const meant = fault && suggestEmail(email);
  return meant ? `${fault}. Did you mean ${meant}?` : fault;
}

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

/** The subscribe form without scripts. The browser posts it; the server redirects to checkout or shows this page again. */
export function SubscribePage({ form = EMPTY }: { form?: PlainForm | undefined }) {
  const { from, values, faults, notice, intentId, landingPage } = form;
  const { isLaunch, price } = shownOffer();
  const { portalLoginUrl } = siteSettings();
  const firstFault = FORM_FIELD_NAMES.find((field) => faults[field]);
  const heading = `Subscribe to ${OFFER.productName}`;
  return (
    <>
      <title>{notice !== null || firstFault ? `Please check: ${heading}` : heading}</title>
      <meta name="robots" content="noindex" />
      <SiteHeader />
      <main className={`${page.page} ${styles.page}`}>
        <PageHead heading={heading}>
          <p>
            {price}/month{isLaunch && ', locked for life'}. <NoBreak>{`${OFFER.trialDays}-day`}</NoBreak> trial.
          </p>
        </PageHead>
        <div className={styles.columns}>
          {/* The server says more about a mistake than the browser. */}
          <form method="post" action="/subscribe" className={styles.form} noValidate>
            {notice !== null && (
              <p role="alert" className={styles.notice}>
                <strong>{notice.title}</strong> <WithSupport text={notice.detail} />
              </p>
            )}
            {FORM_FIELD_NAMES.map((field) => (
              <TextField
                key={field}
                name={field}
                {...FORM_FIELDS[field].input}
                defaultValue={values[field]}
                // oxlint-disable-next-line jsx-a11y/no-autofocus -- the page is the answer to a form with a mistake
                autoFocus={field === firstFault}
                error={field === 'email' ? describeEmail(faults.email, values.email) : faults[field]}
              />
            ))}
            <Honeypot />
            <input type="hidden" name="from" value={from} />
            <input type="hidden" name="intentId" value={intentId} />
            <input type="hidden" name="landingPage" value={landingPage} />
            <input type="hidden" name="consentTextVersion" value={shownConsentVersion()} />
            <ConsentText />
            <Button type="submit" className={styles.submit}>
              Continue to checkout
            </Button>
          </form>
          <NextSteps level="h2" />
        </div>
        {portalLoginUrl !== null && (
          <p className={styles.portal}>
            Already subscribed? <a href={portalLoginUrl}>Manage subscription</a>
          </p>
        )}
      </main>
    </>
  );
}
