import { CONSENT_TEXTS, CURRENT_CONSENT_VERSION } from '@site/schema/consent';
import { OFFER } from '@site/schema/offer';
import type { PlainForm } from '@site/schema/page-render';
import page from '../../site/page.module.css';
import { PageHead } from '../../site/PageHead.tsx';
import { shownOffer } from '../../site/shown-offer.ts';
import { SiteHeader } from '../../site/SiteHeader.tsx';
import { NextSteps } from '../../subscribe/NextSteps.tsx';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { NoBreak } from '../../ui/NoBreak.tsx';
import styles from './SubscribePage.module.css';

const EMPTY: PlainForm = {
  from: 'nav_sub',
  values: { name: '', email: '', company: '', phone: '' },
  faults: {},
  notice: null,
  intentId: '',
  landingPage: '',
};

/** The subscribe form as a page that needs no script: the browser posts it, and the server answers with checkout or with this page again. */
export function SubscribePage({ form = EMPTY }: { form?: PlainForm | undefined }) {
  const { from, values, faults, notice, intentId, landingPage } = form;
  const { isLaunch, price } = shownOffer();
  const heading = `Subscribe to ${OFFER.productName}`;
  return (
    <>
      <title>{notice !== null || Object.keys(faults).length > 0 ? `Please check: ${heading}` : heading}</title>
      <meta name="robots" content="noindex" />
      <SiteHeader />
      <main className={page.page}>
        <PageHead heading={heading}>
          <p>
            {price}/month{isLaunch && ', locked for life'}. <NoBreak>{`${OFFER.trialDays}-day`}</NoBreak> trial.
          </p>
        </PageHead>
        <div className={styles.columns}>
          <form method="post" action="/subscribe" className={styles.form}>
            {notice !== null && (
              <p role="alert" className={styles.notice}>
                {notice}
              </p>
            )}
            <TextField
              name="name"
              label="Full Name"
              defaultValue={values.name}
              autoComplete="name"
              autoCapitalize="words"
              dir="auto"
              required
              error={faults.name}
            />
            <TextField
              name="email"
              label="Email Address"
              defaultValue={values.email}
              type="email"
              inputMode="email"
              autoComplete="email"
              autoCapitalize="none"
              spellCheck={false}
              required
              error={faults.email}
            />
            <TextField
              name="company"
              label="Company"
              note="(Optional)"
              defaultValue={values.company}
              autoComplete="organization"
              dir="auto"
            />
            <TextField
              name="phone"
              label="Phone"
              note="(Optional)"
              defaultValue={values.phone}
              type="tel"
              inputMode="tel"
              autoComplete="tel"
            />
            <div className={styles.trap} aria-hidden="true">
              <label>
                Website
                <input name="website" type="text" tabIndex={-1} autoComplete="off" />
              </label>
            </div>
            <input type="hidden" name="from" value={from} />
            <input type="hidden" name="intentId" value={intentId} />
            <input type="hidden" name="landingPage" value={landingPage} />
            <input type="hidden" name="consentTextVersion" value={CURRENT_CONSENT_VERSION} />
            <p className={styles.consent}>
              {CONSENT_TEXTS[CURRENT_CONSENT_VERSION]} Consent text {CURRENT_CONSENT_VERSION}.
            </p>
            <Button type="submit" className={styles.submit}>
              Continue to checkout
            </Button>
          </form>
          <NextSteps />
        </div>
      </main>
    </>
  );
}
