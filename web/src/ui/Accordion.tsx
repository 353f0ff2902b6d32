import type { ReactNode } from 'react';
import styles from './Accordion.module.css';

type AccordionProps = {
  /** Only one item of this name is open at a time. */
  name: string;
  items: readonly { id: string; heading: string; content: ReactNode }[];
};

/**
 * Headings that open their content, one at a time. The browser does it, so it works before the
 * scripts have come.
 */
export function Accordion({ name, items }: AccordionProps) {
  return (
    <div className={styles.accordion}>
      {items.map(({ id, heading, content }) => (
        <details key={id} name={name} className={styles.item}>
          <summary className={styles.trigger}>
            <h3>{heading}</h3>
            <span className={styles.sign} aria-hidden="true" />
          </summary>
          <div className={styles.content}>{content}</div>
        </details>
      ))}
    </div>
  );
}
