import type { ReactNode, Ref } from 'react';
import styles from './SectionHead.module.css';

type SectionHeadProps = {
  title: string;
  id?: string;
  /** What it covers, or how many there are. */
  aside?: ReactNode;
  /** Set if the heading takes the focus. */
  headingRef?: Ref<HTMLHeadingElement>;
  /** What can be chosen or done, at the end of the line. */
  children?: ReactNode;
};

/** The heading of a part of a view. Its rule is the head of the table or the figures below it. */
export function SectionHead({ title, id, aside, headingRef, children }: SectionHeadProps) {
  return (
    <div className={styles.head}>
      <h2 className={styles.title} id={id} ref={headingRef} tabIndex={headingRef ? -1 : undefined}>
        {title} {aside && <span className={styles.aside}>{aside}</span>}
      </h2>
      {children}
    </div>
  );
}
