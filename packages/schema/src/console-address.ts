/**
 * Returns true for the operator's console only. Shared, because the server gives that page its own content security
 * policy and the browser loads no third-party script on it.
 */
export function isConsoleAddress(pathname: string): boolean {
  return pathname === '/admin-leads' || pathname === '/admin-leads/';
}
