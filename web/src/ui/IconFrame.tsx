import type { ReactNode } from 'react';
import styles from './IconFrame.module.css';

type IconFrameProps = {
  /** In pixels, at the usual text size. */
  width: 9 | 10 | 12 | 14 | 16 | 20;
  /** In the same pixels. Defaults to the width. */
  height?: number;
  /** The line width. Undefined for a filled shape. */
  line?: number;
  children: ReactNode;
};

/**
 * Renders the SVG frame of every icon, as large as the text around it. Hidden from screen readers,
 * because the text is beside it.
 */
export function IconFrame({ width, height = width, line, children }: IconFrameProps) {
  const lines =
    line === undefined ? {} : { fill: 'none', stroke: 'currentColor', strokeWidth: line };
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      aria-hidden="true"
      className={styles[`size${width}`]}
      {...lines}
    >
      {children}
    </svg>
  );
}
