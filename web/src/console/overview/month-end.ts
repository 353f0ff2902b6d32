/** Returns the last day of a month, `YYYY-MM`. */
export function monthEnd(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}
