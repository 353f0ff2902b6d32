import { formatFully, formatMoment } from './london-time.ts';

/** A time in a few words, with all of it in the tooltip. */
export function Moment({ at, now }: { at: string; now: Date }) {
  const moment = new Date(at);
  return (
    <time className="nowrap" dateTime={at} title={formatFully(moment)}>
      {formatMoment(moment, now)}
    </time>
  );
}
