/**
 * True for the page of the operator's console, and for no other. The server gives that page a content policy
 * of its own, and the browser loads no third-party script on it: both must mean the same page.
 */
export function isConsoleAddress(pathname: string): boolean {
  return pathname === '/admin-leads' || pathname === '/admin-leads/';
}
