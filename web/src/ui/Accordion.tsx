import type { ReactNode } from 'react';
import styles from './Accordion.module.css';

type AccordionProps = {
  /** Only one item of this name is open at a time. */
  name: string;
  items: readonly { id: string; heading: string; content: ReactNode }[];
};

/** Headings that open their content, one at a time. The browser does it, so it works before the scripts have come. */
export function Accordion({ name, items }: AccordionProps) {
  return (
    <div className={styles.accordion}>
      {items.map(({ id, heading, content }) => (
        <details key={id} name={name} className={styles.item}>
          <summary className={styles.trigger} onClick={({ currentTarget }) => holdInPlace(currentTarget)}>
            <h3>{heading}</h3>
            <span className={styles.sign} aria-hidden="true" />
          </summary>
          <div className={styles.content}>{content}</div>
        </details>
      ))}
    </div>
  );
}

/** Keeps what was pressed where it is when the content above it closes, which would take it off a small screen. */
function holdInPlace(pressed: HTMLElement): void {
  const { top } = pressed.getBoundingClientRect();
  requestAnimationFrame(() => {
    window.scrollBy({ top: pressed.getBoundingClientRect().top - top, behavior: 'instant' });
  });
}
