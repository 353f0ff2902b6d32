/** True for a secret or restricted key that moves real money. */
export function isLiveKey(secretKey: string): boolean {
  return /^(sk|rk)_live_/.test(secretKey.trim());
}
