import { useParentSize } from '@visx/responsive';
import { Link } from 'react-router-dom';
import { useApiData } from '../api/use-api-data.ts';
import { textScale } from '../shared/text-scale.ts';
import { toSearch } from '../shared/filter-params.ts';
import { wholeMonth } from '../money/money-period.ts';
import styles from './Overview.module.css';
import { formatPounds, nameMonth } from './overview-words.ts';

const HEIGHT = 104;
const TOP = 12;
const FOOT = 82;
const SIDE = 6;

/** MRR over twelve months. Each point is a link to its month. What is not known is left out. */
export function MrrLine() {
  const { data } = useApiData('GET /api/admin/money/history', { query: { months: 12 } });
  const { parentRef, width: inPixels } = useParentSize({ debounceTime: 0 });
  const scale = textScale();
  const width = inPixels / scale;
  const months = data?.months ?? [];
  const known = months.flatMap(({ month, mrrPence }, index) =>
    mrrPence === null ? [] : [{ month, mrrPence, index }],
  );
  const [first, last] = [known[0], known.at(-1)];
  const most = Math.max(1, ...known.map(({ mrrPence }) => mrrPence));
  const x = (index: number) => SIDE + ((width - 2 * SIDE) * index) / Math.max(1, months.length - 1);
  const y = (pence: number) => FOOT - ((FOOT - TOP) * pence) / most;
  if (data && first === last) return null;
  return (
    <div className={styles.line} ref={parentRef}>
      {first && last && width > 0 && (
        <svg width={inPixels} height={HEIGHT * scale} viewBox={`0 0 ${width} ${HEIGHT}`}>
          <g aria-hidden="true">
            <line className={styles.foot} x1={0} x2={width} y1={FOOT} y2={FOOT} />
            <polyline
              points={known.map(({ mrrPence, index }) => `${x(index)},${y(mrrPence)}`).join(' ')}
            />
            <text x={Math.max(0, x(first.index) - SIDE)} y={y(first.mrrPence) - 16}>
              {formatPounds(first.mrrPence)}
            </text>
            <text x={Math.max(0, x(first.index) - SIDE)} y={HEIGHT - 4}>
              {nameMonth(first.month).slice(0, 3)} {first.month.slice(0, 4)}
            </text>
            <text x={width} y={HEIGHT - 4} textAnchor="end">
              {nameMonth(last.month).slice(0, 3)}
            </text>
          </g>
          {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- SVG has no lists */}
          <g role="list" aria-label="MRR at the end of each month">
            {known.map(({ month, mrrPence, index }) => (
              // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- SVG has no lists
              <g key={month} role="listitem">
                <Link
                  to={{ search: toSearch(wholeMonth(month), 'money') }}
                  aria-label={`${nameMonth(month)} ${month.slice(0, 4)}: ${formatPounds(mrrPence)}`}
                >
                  <title>{`${nameMonth(month)} ${month.slice(0, 4)}: ${formatPounds(mrrPence)}`}</title>
                  <rect
                    className={styles.reach}
                    x={x(index) - 12}
                    y={y(mrrPence) - 12}
                    width={24}
                    height={24}
                  />
                  <circle cx={x(index)} cy={y(mrrPence)} r={month === last.month ? 4.5 : 2.5} />
                </Link>
              </g>
            ))}
          </g>
        </svg>
      )}
    </div>
  );
}
