import type { ReactNode } from 'react';

type IconFrameProps = {
  /** In pixels; as high as wide unless it says otherwise. */
  width: number;
  height?: number;
  /** How thick its lines are; a filled shape has none. */
  line?: number;
  children: ReactNode;
};

/** What every icon is drawn in. Decoration to a screen reader: the words stand beside it. */
export function IconFrame({ width, height = width, line, children }: IconFrameProps) {
  const lines = line === undefined ? {} : { fill: 'none', stroke: 'currentColor', strokeWidth: line };
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true" {...lines}>
      {children}
    </svg>
  );
}
