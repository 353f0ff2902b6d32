import { useId } from 'react';
import type { ReactNode } from 'react';
import page from '../../site/page.module.css';
import { classNames } from '../../ui/class-names.ts';
import styles from './Section.module.css';

type SectionProps = {
  id?: string;
  /** The margin text: a bold first line and a note. The first line is the heading if there is no other. */
  margin: { lead: string; note: ReactNode };
  heading?: ReactNode;
  /** Text opposite the heading. */
  aside?: ReactNode;
  /** The first section, under the drawing, has no rule above it. */
  ruled?: boolean;
  /** The body begins with its own rule, so it sits closer to the heading. */
  close?: boolean;
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
  close = false,
  full = false,
  children,
}: SectionProps) {
  const headingId = useId();
  return (
    <section id={id} aria-labelledby={headingId} className={page.page}>
      <div
        className={classNames(
          styles.section,
          ruled && styles.ruled,
          aside ? styles.low : undefined,
        )}
      >
        <div className={styles.margin}>
          {heading ? (
            <p className={styles.lead}>{margin.lead}</p>
          ) : (
            <h2 id={headingId}>{margin.lead}</h2>
          )}{' '}
          <span>{margin.note}</span>
        </div>
        {heading && (
          <div className={styles.head}>
            <h2 id={headingId}>{heading}</h2>
            {aside && <div className={styles.aside}>{aside}</div>}
          </div>
        )}
        <div
          className={classNames(
            styles.body,
            full && styles.full,
            heading ? styles.belowHead : undefined,
            close && styles.close,
          )}
        >
          {children}
        </div>
      </div>
    </section>
  );
}
