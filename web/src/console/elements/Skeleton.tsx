import styles from './Skeleton.module.css';

const ROW_PX = 44;

/** Bars where the texts of rows will be, so that nothing moves when they arrive. */
export function Skeleton({ rows }: { rows: number }) {
  return <div className={styles.rows} style={{ height: rows * ROW_PX }} aria-hidden="true" />;
}
