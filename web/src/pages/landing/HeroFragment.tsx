import { OFFER } from '@site/schema/offer';
import { HERO } from './copy.ts';
import {
  formatShortDate,
  formatShortDay,
  CALL_TIMES,
  calledOn,
  SAMPLE_LEADS,
} from './sample-issue.ts';
import { StatusShape } from './StatusShape.tsx';
import styles from './HeroFragment.module.css';

const ROW = 48;
const HEAD = 57;
const PHONE_ROW = 64;
const PHONE_HEAD = 44;
/** Beyond the right edge of every screen. */
const WIDEST = 4000;
const entries = CALL_TIMES.map((time, index) => ({ ...SAMPLE_LEADS[index], time }));
/** Without a year, the days would seem to be of this one. */
const calledIn = calledOn.getUTCFullYear();
const phoneEntries = entries.slice(0, 4);

/**
 * Draws the first rows of the issue, from the margin to beyond the right edge. It is one image with one label,
 * because the table itself comes further down.
 */
export function HeroFragment() {
  return (
    <div className={styles.bleed}>
      <Wide />
      <Narrow />
    </div>
  );
}

function Wide() {
  const height = HEAD + ROW * entries.length;
  return (
    <svg className={styles.wide} role="img" aria-label={HERO.drawing} viewBox={`0 0 640 ${height}`}>
      <Paper height={height} head={HEAD} row={ROW} rows={entries.length} margin={40} />
      <g className={styles.heads}>
        <text x="60" y="35">
          Business
        </text>
        <text x="312" y="35" className={styles.sector}>
          Sector
        </text>
        <text x="476" y="35" className={styles.contact}>
          Deal Contact
        </text>
        <text x="742" y="35" className={styles.status}>
          Status
        </text>
        <text x="928" y="35" className={styles.called}>
          We rang, {calledIn}
        </text>
      </g>
      {entries.map(({ business, sector, contact, role, status, time }, index) => (
        <g key={business} transform={`translate(0 ${HEAD + index * ROW})`}>
          <text x="30" y="30" textAnchor="end" className={styles.number}>
            {index + 1}
          </text>
          <text x="60" y="30" className={styles.business}>
            {business}
          </text>
          <text x="312" y="30" className={`${styles.soft} ${styles.sector}`}>
            {sector}
          </text>
          <text x="476" y="30" className={styles.contact}>
            {contact},<tspan className={styles.soft}> {role?.toLowerCase()}</tspan>
          </text>
          <g className={styles.status}>
            <g transform="translate(742 20)">{status && <StatusShape status={status} />}</g>
            <text x="762" y="30">
              {status}
            </text>
          </g>
          <g className={styles.called}>
            <Tick x={928} y={18} />
            <text x="950" y="30" className={styles.soft}>
              {formatShortDay(calledOn)}, {time}
            </text>
          </g>
        </g>
      ))}
      <Stamp />
    </svg>
  );
}

function Narrow() {
  const height = PHONE_HEAD + PHONE_ROW * phoneEntries.length;
  return (
    <svg
      className={styles.narrow}
      role="img"
      aria-label={HERO.drawing}
      viewBox={`0 0 340 ${height}`}
    >
      <Paper
        height={height}
        head={PHONE_HEAD}
        row={PHONE_ROW}
        rows={phoneEntries.length}
        margin={27}
      />
      <g className={styles.heads}>
        <text x="44" y="28">
          Business, status
        </text>
        <text x="244" y="28" className={styles.rang}>
          We rang, {calledIn}
        </text>
      </g>
      {phoneEntries.map(({ business, status, time }, index) => (
        <g key={business} transform={`translate(0 ${PHONE_HEAD + index * PHONE_ROW})`}>
          <text x="19" y="26" textAnchor="end" className={`${styles.number} ${styles.small}`}>
            {index + 1}
          </text>
          <text x="44" y="26" className={styles.business}>
            {business}
          </text>
          <g transform="translate(44 39)">{status && <StatusShape status={status} />}</g>
          <text x="63" y="49" className={`${styles.soft} ${styles.small}`}>
            {status}
          </text>
          <g className={styles.rang}>
            <Tick x={244} y={37} />
            <text x="263" y="49" className={`${styles.soft} ${styles.small}`}>
              {formatShortDate(calledOn)}, {time}
            </text>
          </g>
        </g>
      ))}
    </svg>
  );
}

function Paper({
  height,
  head,
  row,
  rows,
  margin,
}: {
  height: number;
  head: number;
  row: number;
  rows: number;
  margin: number;
}) {
  return (
    <>
      <rect width={WIDEST} height={height} className={styles.paper} />
      {Array.from({ length: rows - 1 }, (_, index) => (
        <line
          key={index}
          x2={WIDEST}
          y1={head + (index + 1) * row - 0.5}
          y2={head + (index + 1) * row - 0.5}
          className={styles.hairline}
        />
      ))}
      <line x2={WIDEST} y1="0.75" y2="0.75" className={styles.rule} />
      <line x2={WIDEST} y1={head} y2={head} className={styles.rule} />
      <path
        d={`M${margin + 0.5} 0v${height}M${margin + 4.5} 0v${height}`}
        className={styles.marginRule}
      />
    </>
  );
}

function Tick({ x, y }: { x: number; y: number }) {
  return <path d={`M${x + 1} ${y + 8} l4 4 8-10`} className={styles.tick} />;
}

function Stamp() {
  return (
    <g className={styles.stamp}>
      <g transform="translate(1206 264) rotate(-7)" textAnchor="middle">
        <rect x="-113" y="-46" width="226" height="92" rx="3" className={styles.stampEdge} />
        <rect x="-106" y="-39" width="212" height="78" className={styles.stampInner} />
        <path d="M-106 16h212" className={styles.stampInner} />
        <text y="-22" className={styles.stampSmall}>
          RUNG AND CONFIRMED
        </text>
        <text y="9" className={styles.stampLarge}>
          VERIFIED
        </text>
        <text y="32" className={styles.stampSmall}>
          {formatShortDate(calledOn).toUpperCase()} {calledIn} · ISSUE #{OFFER.sampleIssue.number}
        </text>
      </g>
    </g>
  );
}
