import { OFFER } from '@site/schema/offer';
import { DATELINE, HERO } from '../pages/landing/copy.ts';
import { SAMPLE_LEADS } from '../pages/landing/sample-issue.ts';

export const SHARE_PICTURE = {
  path: '/share.png',
  width: 1_200,
  height: 630,
  alt: `${OFFER.productName}: ${HERO.headline.join(' ')} Below it the first entries of a ledger.`,
};

const SIDE = 72;
const LEDGER_AT = 392;
const ROW = 60;
const ENTRIES = SAMPLE_LEADS.slice(0, 4);

/** Draws the link preview's picture as SVG: the headline over the first rows of an issue. The caller names the fonts. */
export function drawSharePicture({ serif, sans }: { serif: string; sans: string }): string {
  const { width, height } = SHARE_PICTURE;
  const [first = '', ...rest] = HERO.headline;
  const lines = [first, rest.join(' ')];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">
    <rect width="100%" height="100%" fill="#faf6ee"/>
    <text x="${SIDE}" y="84" font-family="${sans}" font-size="26" fill="#14202e">${escapeXml(OFFER.productName)}</text>
    <text x="${width - SIDE}" y="84" text-anchor="end" font-family="${sans}" font-size="26" fill="#3f4b5a">${escapeXml(`${DATELINE.issue}, ${DATELINE.leads}`)}</text>
    <path d="M${SIDE} 112h${width - 2 * SIDE}" stroke="#14202e" stroke-width="1.5"/>
    ${lines.map((line, index) => `<text x="${SIDE - 4}" y="${224 + index * 104}" font-family="${serif}" font-size="104" letter-spacing="-2.4" fill="#14202e">${escapeXml(line)}</text>`).join('')}
    <rect x="${SIDE}" y="${LEDGER_AT}" width="${width}" height="${height}" fill="#eff3e6"/>
    <path d="M${SIDE} ${LEDGER_AT}h${width}" stroke="#14202e" stroke-width="2"/>
    <path d="M${SIDE + 56} ${LEDGER_AT}v${height}M${SIDE + 62} ${LEDGER_AT}v${height}" stroke="#b4574e"/>
    ${ENTRIES.map(drawEntry(sans)).join('')}
  </svg>`;
}

function drawEntry(sans: string) {
  return ({ business, sector, status }: (typeof ENTRIES)[number], index: number): string => {
    const y = LEDGER_AT + index * ROW;
    const text = (x: number, words: string, fill: string) =>
      `<text x="${x}" y="${y + 39}" font-family="${sans}" font-size="26" fill="${fill}">${escapeXml(words)}</text>`;
    return [
      text(SIDE + 28, String(index + 1), '#596472'),
      text(SIDE + 88, business, '#14202e'),
      text(SIDE + 500, sector, '#3f4b5a'),
      text(SIDE + 760, status, '#14202e'),
      `<path d="M${SIDE} ${y + ROW}h1200" stroke="#c4cfb8"/>`,
    ].join('');
  };
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
