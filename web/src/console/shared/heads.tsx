import { useState } from 'react';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { Button } from '../../ui/Button.tsx';
import sectionStyles from './SectionHead.module.css';
import styles from './ViewHead.module.css';

type ViewHeadProps = {
  title: string;
  /** What the view covers, in words beside the title. */
  range?: ReactNode;
  /** Links to the usual choices, below the title. */
  presets?: ReactNode;
  /** The fields that choose anything else. */
  filters?: ReactNode;
  /** Buttons level with the fields. */
  actions?: ReactNode;
};

/**
 * The head of every view: its title, what it covers, and how to choose that. A phone shows the
 * choices on request.
 */
export function ViewHead({ title, range, presets, filters, actions }: ViewHeadProps) {
  // A choice is a new URL, which closes them.
  const { key: entry } = useLocation();
  const [openAt, setOpenAt] = useState<string>();
  const isOpen = openAt === entry;
  return (
    <div className={styles.head}>
      <div className={styles.heading}>
        <h1 className={styles.title}>{title}</h1>
        {range !== undefined && <p className={styles.range}>{range}</p>}
        <div className={styles.choices} data-open={isOpen || undefined}>
          {presets}
        </div>
      </div>
      <div className={styles.controls}>
        {filters && (
          <Button
            look="line"
            className={styles.opener}
            aria-expanded={isOpen}
            onClick={() => setOpenAt(isOpen ? undefined : entry)}
          >
            Filters
          </Button>
        )}
        <div className={styles.choices} data-open={isOpen || undefined}>
          {filters}
        </div>
        {actions}
      </div>
    </div>
  );
}

type SectionHeadProps = {
  title: string;
  id?: string;
  /** What it covers, or how many there are. */
  aside?: ReactNode;
  /** What can be chosen or done, at the end of the line. */
  children?: ReactNode;
};

/** The heading of a part of a view. Its rule is the head of the table or the figures below it. */
export function SectionHead({ title, id, aside, children }: SectionHeadProps) {
  return (
    <div className={sectionStyles.head}>
      <h2 className={sectionStyles.title} id={id}>
        {title} {aside && <span className={sectionStyles.aside}>{aside}</span>}
      </h2>
      {children}
    </div>
  );
}
