import { useState } from 'react';
import type { ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { Button } from '../../ui/Button.tsx';
import sectionStyles from './SectionHead.module.css';
import styles from './ViewHead.module.css';

type ViewHeadProps = {
  title: string;
  /** The view's range, in words beside the title. */
  range?: ReactNode;
  /** Links to the usual choices, below the title. */
  presets?: ReactNode;
  /** The fields for all other choices. */
  filters?: ReactNode;
  /** Buttons level with the fields. */
  actions?: ReactNode;
};

/**
 * Renders the head of every view: its title, its range, and the choices. A phone shows the choices
 * on request.
 */
export function ViewHead({ title, range, presets, filters, actions }: ViewHeadProps) {
  // A choice is a new URL, which closes the choices.
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
  /** The section's range, or its number of rows. */
  aside?: ReactNode;
  /** Controls at the end of the line. */
  children?: ReactNode;
};

/**
 * Renders the heading of a part of a view. Its rule is the top of the table or the figures below
 * it.
 */
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
