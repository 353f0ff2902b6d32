/** Whether this visitor has agreed to analytics. Nobody is asked yet, so nobody has. */
export function hasAnalyticsConsent(): boolean {
  return false;
}
