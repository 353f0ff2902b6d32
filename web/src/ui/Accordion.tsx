import { Accordion as Radix } from 'radix-ui';
import type { ReactNode } from 'react';
import styles from './Accordion.module.css';

type AccordionProps = {
  items: readonly { id: string; heading: string; content: ReactNode }[];
};

/**
 * Headings that open their content, one at a time. The content is always in the page, so that the browser's search
 * finds it, and a page without scripts shows it all.
 */
export function Accordion({ items }: AccordionProps) {
  return (
    <Radix.Root className={styles.accordion} type="single" collapsible>
      {items.map(({ id, heading, content }) => (
        <Radix.Item key={id} value={id} className={styles.item}>
          <Radix.Header>
            <Radix.Trigger className={styles.trigger} onClick={({ currentTarget }) => holdInPlace(currentTarget)}>
              {heading}
              <span className={styles.sign} aria-hidden="true" />
            </Radix.Trigger>
          </Radix.Header>
          <Radix.Content forceMount className={styles.content}>
            <div className={styles.inner}>{content}</div>
          </Radix.Content>
        </Radix.Item>
      ))}
    </Radix.Root>
  );
}

/** Keeps what was pressed where it is when the content above it closes, which would take it off a small screen. */
function holdInPlace(pressed: HTMLElement): void {
  const { top } = pressed.getBoundingClientRect();
  requestAnimationFrame(() => {
    window.scrollBy({ top: pressed.getBoundingClientRect().top - top, behavior: 'instant' });
  });
}
