import type { SampleStatus } from './sample-issue.ts';

/**
 * Draws a shape for each status inside an SVG, so that colour is not the only sign. It is ten units
 * wide.
 */
export function StatusShape({ status }: { status: SampleStatus }) {
  switch (status) {
    case 'Liquidation (CVL)':
      return <rect width="10" height="10" fill="currentColor" />;
    case 'Administration':
      return (
        <>
          <rect
            x="0.75"
            y="0.75"
            width="8.5"
            height="8.5"
            fill="none"
            stroke="currentColor"
            strokeWidth="1.5"
          />
          <path d="M9 1v8H1Z" fill="currentColor" />
        </>
      );
    case 'Distressed sale':
      return <circle cx="5" cy="5" r="4.2" fill="none" stroke="currentColor" strokeWidth="1.6" />;
    case 'Compulsory order':
      return <path d="M5 0l5 5-5 5-5-5Z" fill="currentColor" />;
  }
}
