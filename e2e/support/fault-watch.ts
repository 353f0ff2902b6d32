import { expect } from '@playwright/test';
import type { BrowserContext, Request } from '@playwright/test';

/**
 * Faults in a browser that no assertion would notice: errors, policy violations, failed requests,
 * unknown origins.
 */
export type FaultWatch = {
  over(context: BrowserContext): void;
  /** Declares an expected fault, which must then happen at least once. */
  expect(fault: RegExp): void;
  /** Throws for undeclared faults, and for declared faults that did not happen. */
  check(): void;
};

// The browser repeats failed requests and answers in its console.
const REPEATED = /^Failed to load resource: /;
// A request cancelled by leaving its page, or turned into a download, in each engine's words.
const LEFT = /net::ERR_ABORTED|NS_BINDING_ABORTED|cancelled/;

/** Watches browser contexts. Requests to other origins are faults. */
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
        if (!isKnown(request.url())) seen.push(`request to a third party: ${request.url()}`);
      });
      context.on('requestfailed', (request) => {
        const reason = request.failure()?.errorText ?? 'no reason';
        if (!LEFT.test(reason)) seen.push(`request failed: ${describe(request)}: ${reason}`);
      });
      context.on('response', (response) => {
        if (response.status() >= 400)
          seen.push(`answer ${response.status()}: ${describe(response.request())}`);
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
