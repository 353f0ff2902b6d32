import { expect } from '@playwright/test';
import type { BrowserContext, Request } from '@playwright/test';

/** What went wrong in a browser that nobody would see: errors, refused policies, failed requests, calls to strangers. */
export type FaultWatch = {
  over(context: BrowserContext): void;
  /** Declares a fault that belongs to the journey. It must then happen, at least once. */
  expect(fault: RegExp): void;
  /** Throws for every fault that was not declared, and for every declared one that did not happen. */
  check(): void;
};

// The browser repeats in its console what the answer or the failed request said already.
const REPEATED = /^Failed to load resource: /;
// A request that was under way when its page was left, or that became a download.
const LEFT = 'net::ERR_ABORTED';

/** Watches contexts in which only these origins are known. */
export function createFaultWatch(origins: readonly string[]): FaultWatch {
  const declared: RegExp[] = [];
  const seen: string[] = [];
  const isKnown = (url: string) => !/^https?:/.test(url) || origins.includes(new URL(url).origin);

  return {
    over(context) {
      context.on('console', (message) => {
        if (message.type() !== 'error' || REPEATED.test(message.text())) return;
        seen.push(`console error: ${message.text()}`);
      });
      context.on('weberror', (error) => seen.push(`page error: ${error.error().message}`));
      context.on('request', (request) => {
        if (!isKnown(request.url())) seen.push(`request to a stranger: ${request.url()}`);
      });
      context.on('requestfailed', (request) => {
        const reason = request.failure()?.errorText ?? 'no reason';
        if (reason !== LEFT) seen.push(`request failed: ${describe(request)}: ${reason}`);
      });
      context.on('response', (response) => {
        if (response.status() >= 400) seen.push(`answer ${response.status()}: ${describe(response.request())}`);
      });
    },
    expect: (fault) => void declared.push(fault),
    check() {
      const undeclared = seen.filter((fault) => !declared.some((pattern) => pattern.test(fault)));
      const absent = declared.filter((pattern) => !seen.some((fault) => pattern.test(fault)));
      expect({ undeclared, absent: absent.map(String) }, 'faults in the browser').toEqual({
        undeclared: [],
        absent: [],
      });
    },
  };
}

function describe(request: Request): string {
  return `${request.method()} ${new URL(request.url()).pathname}`;
}
