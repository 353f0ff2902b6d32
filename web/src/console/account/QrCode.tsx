import encodeQR from 'qr';
import styles from './QrCode.module.css';

const PIXELS_A_MODULE = 4;
/** The standard's margin. Without it, apps miss the code on a dark page. */
const MARGIN_MODULES = 4;

/**
 * Draws a text as a QR code, black on white in both themes, because some apps cannot read the
 * reverse.
 */
export function QrCode({ text, name }: { text: string; name: string }) {
  const rows = encodeQR(text, 'raw', { border: MARGIN_MODULES });
  const size = rows.length;
  const modules = rows.flatMap((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')),
  );
  return (
    <svg
      className={styles.code}
      role="img"
      aria-label={name}
      width={size * PIXELS_A_MODULE}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={modules.join('')} fill="#000" />
    </svg>
  );
}
