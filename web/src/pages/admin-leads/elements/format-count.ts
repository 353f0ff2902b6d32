/** `12,345`, or `10,000+` where more were not counted. */
export function formatCount(count: number, isCapped = false): string {
  return `${count.toLocaleString('en-GB')}${isCapped ? '+' : ''}`;
}
