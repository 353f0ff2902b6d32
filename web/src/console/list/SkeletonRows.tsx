import styles from './SkeletonRows.module.css';

const ROWS = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
const BARS = <span className={styles.bars} />;
const COLUMNS = ['tick', 'contact', 'form', 'source', 'location', 'beehiiv', 'date'];

/** Placeholder rows with bars where the texts will be, so that nothing moves when they arrive. */
export function SkeletonRows() {
  return ROWS.map((row) => (
    <tr key={row} className={styles.row} aria-hidden="true">
      {COLUMNS.map((column) => (
        <td key={column} data-column={column}>
          {BARS}
        </td>
      ))}
    </tr>
  ));
}
