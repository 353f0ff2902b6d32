/** Reads the client id from Google Analytics' cookie: `123.456` in `GA1.1.123.456`. Returns undefined without one. */
export function readGaClientId(cookies: string): string | undefined {
  return /(?:^|;\s*)_ga=GA\d\.\d+\.(\d+\.\d+)(?:;|$)/.exec(cookies)?.[1];
}
