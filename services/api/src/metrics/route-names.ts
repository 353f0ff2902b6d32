import { CALLS } from '@site/schema/calls/calls';
import { createPathMatcher } from '@site/schema/calls/match-path';
import { splitCall } from '../http/route.ts';
import { toTemplate } from '../openapi/document.ts';

const PLACES = ['/assets', '/api'];
const PAGES = ['/', '/subscribe', '/sample-sent', '/thank-you', '/admin-leads'];
const match = createPathMatcher([...PAGES, ...Object.keys(CALLS).map((name) => splitCall(name).path)]);

/** Labels a path for metrics: a template of the API's, or a fixed few for the site. Never the path itself. */
export function nameRoute(path: string): string {
  const place = PLACES.find((start) => path === start || path.startsWith(`${start}/`)) ?? '';
  return toTemplate(match(path) ?? `${place}/{path}`);
}
