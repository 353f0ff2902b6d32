import styles from './SkeletonRows.module.css';

/** Widths of typical texts in pixels, repeated over the rows. */
const WIDTHS = [
  { name: 122, email: 154, source: 56, campaign: 120, place: 76 },
  { name: 96, email: 128, source: 78, campaign: 64, place: 58 },
  { name: 143, email: 162, source: 66, campaign: 108, place: 88 },
];
const ROWS = 10;

/** Placeholder bars where the table's texts will be, so that nothing moves when they arrive. */
export function SkeletonRows() {
  return Array.from({ length: ROWS }, (_, index) => {
    const width = WIDTHS[index % WIDTHS.length];
    if (!width) return null;
    return (
      <tr key={index} className={styles.row} aria-hidden="true">
        <Bars widths={[16]} />
        <Bars widths={[width.name, width.email]} />
        <Bars widths={[52]} />
        <Bars widths={[width.source, width.campaign]} />
        <Bars widths={[width.place]} onlyWide />
        <Bars widths={[148]} />
        <Bars widths={[76]} right />
      </tr>
    );
  });
}

type BarsProps = { widths: number[]; right?: boolean; onlyWide?: boolean };

function Bars({ widths, right = false, onlyWide = false }: BarsProps) {
  return (
    <td data-right={right || undefined} data-only-wide={onlyWide || undefined}>
      {widths.map((width, index) => (
        <span key={index} className={styles.bar} style={{ width }} />
      ))}
    </td>
  );
}
