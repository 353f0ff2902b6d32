import { useId } from 'react';
import type { ReactNode } from 'react';
import { classNames } from '../../ui/class-names.ts';
import styles from './Section.module.css';

type SectionProps = {
  id?: string;
  /**
   * The margin text: a bold first line and a note. The first line is the heading if there is no
   * other.
   */
  margin: { lead: string; note: ReactNode };
  heading?: string;
  /** Text opposite the heading. */
  aside?: string;
  /** The first section, under the drawing, has no rule above it. */
  ruled?: boolean;
  /** The body also fills the margin column. */
  full?: boolean;
  children: ReactNode;
};

/** One section of the page: a rule, the margin, a heading, a body. */
export function Section({
  id,
  margin,
  heading,
  aside,
  ruled = true,
  full = false,
  children,
}: SectionProps) {
  const headingId = useId();
  return (
    <section id={id} aria-labelledby={headingId} className="page">
      <div className={classNames(styles.section, ruled && styles.ruled)}>
        <div className={`note ${styles.margin}`}>
          {heading ? (
            <p className="minor">{margin.lead}</p>
          ) : (
            <h2 id={headingId} className="minor">
              {margin.lead}
            </h2>
          )}{' '}
          <span>{margin.note}</span>
        </div>
        {heading && (
          <div className={styles.head}>
            <h2 id={headingId}>{heading}</h2>
            {aside && <p className={`note ${styles.aside}`}>{aside}</p>}
          </div>
        )}
        <div className={classNames(styles.body, full && styles.full)}>{children}</div>
      </div>
    </section>
  );
}
