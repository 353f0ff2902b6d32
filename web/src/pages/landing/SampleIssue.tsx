import accordion from '../../ui/Accordion.module.css';
import { IconFrame } from '../../ui/IconFrame.tsx';
import sheet from '../../ui/Sheet.module.css';
import { ISSUE } from './copy.ts';
import { SAMPLE_LEADS } from './sample-issue.ts';
import { Section } from './Section.tsx';
import { StatusShape } from './StatusShape.tsx';
import styles from './SampleIssue.module.css';

/**
 * Renders a complete issue as a table. On a phone its entries are cards, and the first five show at
 * first.
 */
export function SampleIssue() {
  return (
    <Section
      id="sample-issue"
      margin={ISSUE.margin}
      heading={ISSUE.heading}
      aside={ISSUE.aside}
      full
    >
      <table className={`${sheet.ledger} ${styles.table}`} aria-label={ISSUE.heading}>
        <thead>
          <tr>
            {ISSUE.columns.map((column, index) => (
              <th key={column} scope="col" className={index === 0 ? sheet.entry : undefined}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {SAMPLE_LEADS.map(({ business, town, sector, contact, role, phone, status, notes }) => (
            <tr key={business}>
              <th scope="row" className={sheet.entry}>
                <span className={styles.business}>{business}</span>
                <span className={`note ${styles.below}`}>
                  {town}
                  <span className={styles.onCard}>
                    {' '}
                    · <span className="nowrap">{sector}</span>
                  </span>
                </span>
              </th>
              <td>{sector}</td>
              <td>
                {contact}
                <span className={`note ${styles.below}`}>
                  {role} · <span className="nowrap">{phone}</span>
                </span>
              </td>
              <td>
                <span className={styles.status}>
                  <IconFrame width={10}>
                    <StatusShape status={status} />
                  </IconFrame>
                  {status}
                </span>
              </td>
              <td className={styles.notes}>{notes}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {/* Works without scripts. Without styles, all entries are visible. */}
      <details className={`${accordion.item} ${styles.more}`}>
        <summary className={accordion.trigger}>
          <span className={styles.closed}>{ISSUE.showAll}</span>
          <span className={styles.opened}>{ISSUE.showFewer}</span>
          <span className={accordion.sign} aria-hidden="true" />
        </summary>
      </details>
      <p className={`note ${styles.invented}`}>{ISSUE.invented}</p>
    </Section>
  );
}
