import type { ReactNode } from 'react';

type IconFrameProps = {
  /** In pixels. The height defaults to the width. */
  width: number;
  height?: number;
  /** The line width. Undefined for a filled shape. */
  line?: number;
  children: ReactNode;
};

/** The SVG frame of every icon. Hidden from screen readers, because the text is beside it. */
export function IconFrame({ width, height = width, line, children }: IconFrameProps) {
  const lines = line === undefined ? {} : { fill: 'none', stroke: 'currentColor', strokeWidth: line };
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true" {...lines}>
      {children}
    </svg>
  );
}
