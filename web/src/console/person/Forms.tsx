import type { PersonAnswer } from '@site/schema/calls/people';
import { wordingOf } from '@site/schema/consent';
import type { Lead } from '@site/schema/lead';
import { listLeadFields } from '@site/schema/lead-fields';
import { Link } from 'react-router-dom';
import { toFormName, toSourceName } from '@site/schema/labels';
import { isFromForm } from './labels.ts';
import type { Halt } from '../lead/progress.ts';
import { LeadStatus } from '../lead/LeadStatus.tsx';
import { DataTable } from '../shared/DataTable.tsx';
import type { Column } from '../shared/DataTable.tsx';
import { formatDateTime } from '../shared/format.ts';
import { SectionHead } from '../shared/heads.tsx';
import { Facts } from './Facts.tsx';
import styles from './Person.module.css';

type FormsProps = {
  person: PersonAnswer;
  now: Date;
  halt: Halt;
  /** The query of a link to another lead of the person. */
  linkTo: (leadId: string) => string;
};

/** Lists the person's forms. Shows all fields, consent and source of the current form. */
export function Forms(props: FormsProps) {
  const { lead, channel, leads, browser, formerEmail } = props.person;
  const wording = wordingOf(lead.consentTextVersion);
  const join = (parts: (string | null)[], by = ' / ') => parts.filter(Boolean).join(by);
  return (
    <>
      <section aria-label="Leads">
        <SectionHead title="Leads" aside={leads.length > 1 && leads.length} />
        <DataTable name="Leads" columns={toColumns(props)} rows={leads} keyOf={({ id }) => id} />
        {formerEmail && (
          <p>
            Corrected from <bdi>{formerEmail}</bdi>.
          </p>
        )}
      </section>
      {isFromForm({ lead, browser }) && (
        <section aria-label="Consent">
          <SectionHead title="Consent" />
          <Facts
            of={[
              [
                'Agreed to email',
                (lead.consentMarketing ? 'Yes' : 'No') +
                  (lead.consentTimestamp
                    ? `, ${formatDateTime(new Date(lead.consentTimestamp))}`
                    : ''),
              ],
              [
                join(
                  [
                    `Consent text ${lead.consentTextVersion ?? ''}`.trim(),
                    lead.consentMarketing ? 'shown' : 'not agreed to',
                  ],
                  ', ',
                ),
                wording === null
                  ? lead.consentMarketing && 'The text was not recorded'
                  : `“${wording}”`,
              ],
              ['Page', lead.consentPage ?? 'Not known'],
              [
                'IP address, browser',
                join([lead.ipAddress, browser], ', ') || 'No longer stored, or never known',
              ],
            ]}
          />
        </section>
      )}
      <section aria-label="Source">
        <SectionHead title="Source" />
        <Facts
          of={[
            ['Button', toSourceName(lead)],
            ['Channel', channel],
            ['This visit', join([lead.visitUtmSource, lead.visitUtmMedium, lead.visitUtmCampaign])],
            [
              'First visit',
              join(
                [
                  join([lead.firstUtmSource, lead.firstUtmMedium, lead.firstUtmCampaign]),
                  lead.firstPage,
                ],
                ', on ',
              ) || 'Not known',
            ],
            ['Message', lead.message && <bdi>{lead.message}</bdi>],
          ]}
        />
        <details className={styles.folded}>
          <summary>All fields</summary>
          <Facts
            of={listLeadFields().map(({ name, label }) => [
              label,
              lead[name] === null ? null : <bdi>{toText(lead[name])}</bdi>,
            ])}
          />
        </details>
      </section>
    </>
  );
}

function toColumns({ person: { lead }, now, halt, linkTo }: FormsProps): Column<Lead>[] {
  return [
    {
      head: 'Date',
      cell: (each) =>
        each.id === lead.id ? (
          formatDateTime(new Date(each.submittedAt))
        ) : (
          <Link to={{ search: linkTo(each.id) }}>{formatDateTime(new Date(each.submittedAt))}</Link>
        ),
    },
    { head: 'Form Type', cell: toFormName },
    { head: 'Source', cell: toSourceName },
    {
      head: 'Beehiiv',
      cell: (each) => <LeadStatus lead={each} now={now} halt={halt} />,
      place: 'line',
    },
  ];
}

const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/u;

/** Returns a field as it is stored, and a time in our format. */
function toText(stored: unknown): string {
  const text = String(stored);
  return INSTANT.test(text) ? formatDateTime(new Date(text)) : text;
}
