/** The client id in Google Analytics' cookie (`GA1.1.123.456` holds `123.456`), undefined where there is none. */
export function readGaClientId(cookies: string): string | undefined {
  return /(?:^|;\s*)_ga=GA\d\.\d+\.(\d+\.\d+)(?:;|$)/.exec(cookies)?.[1];
}
