import type { LeadDetailAnswer } from '@site/schema/calls/leads';
import { useState } from 'react';
import { describeButton, describeSource, isFromForm } from '../lead/lead-labels.ts';
import { Fact } from './Fact.tsx';
import styles from './Drawer.module.css';
import { wordingOf } from '@site/schema/consent';
import { describeField, listFields, nameConsentText, toReport } from './lead-report.ts';
import { copyText } from '../shared/copy-text.ts';
import { LinkButton } from '../shared/LinkButton.tsx';
import { formatDated, formatFully } from '../shared/london-time.ts';

/** The lead's consent with the exact text shown, and where it came from. */
export function LeadFacts({ detail }: { detail: LeadDetailAnswer }) {
  const { lead, browser } = detail;
  const [isAllShown, setAllShown] = useState(false);
  const fields = listFields(lead);
  const source = lead.visitUtmSource && describeSource(lead.visitUtmSource);
  const visit = [source, lead.visitUtmMedium, lead.visitUtmCampaign].filter(Boolean).join(' / ');
  const first = [lead.firstUtmSource, lead.firstUtmMedium, lead.firstUtmCampaign]
    .filter(Boolean)
    .join(' / ');
  return (
    <>
      <Consent lead={lead} browser={browser} />
      <section aria-label="Source">
        <div className={styles.section}>
          <h3>Source</h3>
          <LinkButton aria-expanded={isAllShown} onClick={() => setAllShown(!isAllShown)}>
            {isAllShown ? 'Show the main fields' : `Show all ${fields.length} fields`}
          </LinkButton>
        </div>
        <dl className={styles.facts}>
          {isAllShown ? (
            fields.map(({ name, label, value }) => (
              <Fact key={name} name={label}>
                <bdi>{describeField(lead, name, value)}</bdi>
              </Fact>
            ))
          ) : (
            <>
              <Fact name="Company, phone">
                <bdi>{[lead.company, lead.phone].filter(Boolean).join(', ') || 'Not given'}</bdi>
              </Fact>
              <Fact name="Button">{describeButton(lead.utmSource ?? '')}</Fact>
              <Fact name="This visit">{visit || 'Direct'}</Fact>
              <Fact name="First visit">
                {[first, lead.firstPage].filter(Boolean).join(', on ') || 'Not known'}
              </Fact>
              {lead.message && (
                <Fact name="Message">
                  <bdi>{lead.message}</bdi>
                </Fact>
              )}
            </>
          )}
        </dl>
      </section>
      <p className={styles.end}>
        <LinkButton
          onClick={() =>
            void copyText(toReport(detail, new Date()), 'The lead and its attempts, as text.')
          }
        >
          Copy as text
        </LinkButton>
        <span title={lead.id}>Lead …{lead.id.slice(-12)}</span>
      </p>
    </>
  );
}

/** Whether the person agreed to email, with the exact text that was shown, where and when. */
export function Consent({ lead, browser }: Pick<LeadDetailAnswer, 'lead' | 'browser'>) {
  const wording = wordingOf(lead.consentTextVersion);
  return (
    isFromForm({ lead, browser }) && (
      <section aria-label="Consent">
        <h3 className={styles.section}>Consent</h3>
        <dl className={styles.facts}>
          <Fact name="Agreed to email">
            {lead.consentMarketing ? 'Yes' : 'No'}
            {lead.consentTimestamp && (
              <>
                {', '}
                <time
                  dateTime={lead.consentTimestamp}
                  title={formatFully(new Date(lead.consentTimestamp))}
                >
                  {formatDated(new Date(lead.consentTimestamp))}
                </time>
              </>
            )}
          </Fact>
          {(lead.consentMarketing || wording !== null) && (
            <Fact name={nameConsentText(lead).replaceAll('-', '\u2011')}>
              {wording === null ? 'The text was not recorded' : `“${wording}”`}
            </Fact>
          )}
          <Fact name="Page">{lead.consentPage ?? 'Not known'}</Fact>
          <Fact
            name={
              browser === null && lead.ipAddress !== null ? 'IP address' : 'IP address, browser'
            }
          >
            {[lead.ipAddress, browser].filter(Boolean).join(', ') ||
              'No longer stored, or never known'}
          </Fact>
        </dl>
      </section>
    )
  );
}
