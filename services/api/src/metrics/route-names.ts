import { OPERATIONS } from '../openapi/document.ts';
import { createPathMatcher } from '../openapi/match-path.ts';

const PLACES = ['/assets', '/api'];
const PAGES = ['/', '/subscribe', '/sample-sent', '/thank-you', '/admin-leads'];

/** The pattern a path is counted under: one of the API's document, or of a fixed few for the site. Never the path itself. */
export function createRouteNames(): (path: string) => string {
  const match = createPathMatcher([...PAGES, ...OPERATIONS.map(({ path }) => path)]);
  return (path) => {
    const place = PLACES.find((start) => path === start || path.startsWith(`${start}/`)) ?? '';
    return match(path) ?? `${place}/{path}`;
  };
}
