import styles from './Skeleton.module.css';

/** Bars where the texts of rows will be, so that nothing moves when they arrive. A view's styles may set its own height. */
export function Skeleton({ rows }: { rows: number }) {
  return (
    <div
      className={styles.rows}
      style={{ height: `var(--skeleton, ${rows * 2.75}rem)` }}
      aria-hidden="true"
    />
  );
}
