import { createPathMatcher } from '../openapi/match-path.ts';

const PLACES = ['/assets', '/api'];
const PAGES = ['/', '/subscribe', '/sample-sent', '/thank-you', '/admin-leads'];

/** Labels a path for metrics: one of the given templates, or a fixed few for the site. Never the path itself. */
export function createRouteNames(templates: readonly string[]): (path: string) => string {
  const match = createPathMatcher([...PAGES, ...templates]);
  return (path) => {
    const place = PLACES.find((start) => path === start || path.startsWith(`${start}/`)) ?? '';
    return match(path) ?? `${place}/{path}`;
  };
}
