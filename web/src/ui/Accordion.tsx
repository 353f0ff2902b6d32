import type { ReactNode } from 'react';
import styles from './Accordion.module.css';

type AccordionProps = {
  /** Only one item with this name is open at a time. */
  name: string;
  items: readonly { id: string; heading: string; content: ReactNode }[];
};

/**
 * Renders headings that open their content, one at a time. The browser opens them, so they work
 * before the scripts arrive.
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
