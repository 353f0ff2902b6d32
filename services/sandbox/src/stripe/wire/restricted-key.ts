import { StripeFault } from './stripe-fault.ts';

/*
 * Restricted keys. The sandbox has one for each permission: `rk_test_sandbox_without_dispute_read`
 * may do all but that.
 */

/** Stripe's name for the resource of a URL or an included part, if it differs. */
const RESOURCES: Record<string, string> = {
  refund: 'charge',
  invoice_payment: 'invoice',
  latest_invoice: 'invoice',
  price: 'plan',
  webhook_endpoint: 'webhook',
  checkout: 'checkout_session',
  billing_portal: 'customer_portal',
};
const resourceOf = (name: string) => RESOURCES[name] ?? name;

/** Returns the permission that a key lacks, or null if it is no restricted key of the account. */
export function readWithheld(given: string | null, secretKey: string): string | null {
  const prefix = `${secretKey.replace(/^sk/, 'rk')}_without_`;
  return given?.startsWith(prefix) ? given.slice(prefix.length) : null;
}

/** Refuses a call that needs the withheld permission. Without read there is no write. */
export function refuseWithheld(withheld: string, method: string, path: string): void {
  const resource = resourceOf((path.split('/')[1] ?? '').replace(/s$/, ''));
  const needed = `${resource}_${method === 'GET' ? 'read' : 'write'}`;
  if (needed === withheld || `${resource}_read` === withheld) throw forbidden(needed);
}

/** Refuses to include an object that the key may not read. */
export function refuseParts(withheld: string, expand: string[]): void {
  const parts = expand.flatMap((path) => path.split('.')).map((part) => `${resourceOf(part)}_read`);
  if (parts.includes(withheld)) throw forbidden(withheld);
}

const forbidden = (permission: string) =>
  new StripeFault(
    403,
    `The provided key 'rk_test_****' does not have the required permissions for this endpoint on account 'acct_sandbox'. Having the 'rak_${permission}' permission would allow this request to continue.`,
    { type: 'invalid_request_error' },
  );
