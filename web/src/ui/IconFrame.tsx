import type { ReactNode } from 'react';

type IconFrameProps = {
  /** In pixels, with text of the usual size. The height defaults to the width. */
  width: number;
  height?: number;
  /** The line width. Undefined for a filled shape. */
  line?: number;
  children: ReactNode;
};

/** The SVG frame of every icon, as large as the text around it. Hidden from screen readers, because the text is beside it. */
export function IconFrame({ width, height = width, line, children }: IconFrameProps) {
  const lines =
    line === undefined ? {} : { fill: 'none', stroke: 'currentColor', strokeWidth: line };
  const size = { width: `${width / 16}rem`, height: `${height / 16}rem` };
  return (
    <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true" {...size} {...lines}>
      {children}
    </svg>
  );
}
