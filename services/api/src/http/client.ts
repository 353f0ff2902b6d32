import { BlockList, isIPv6 } from 'node:net';

/**
 * Returns the key for limiting a client. An IPv6 client has a whole /64, so that network is the
 * key.
 */
export function clientKey(ip: string | undefined): string {
  if (ip === undefined) return 'unknown';
  return isOwnIPv6(ip) ? firstGroups(ip, 4) : ip;
}

/** Returns the /48 around an IPv6 client, which one customer of a provider may hold, or null. */
export function networkKey(ip: string | undefined): string | null {
  return ip !== undefined && isOwnIPv6(ip) ? firstGroups(ip, 3) : null;
}

/** Returns true for an IPv6 address that is not an IPv4 address in IPv6 notation. */
const isOwnIPv6 = (ip: string) => isIPv6(ip) && !ip.startsWith('::ffff:');

function firstGroups(ip: string, count: number): string {
  const [head = '', tail] = ip.split('::');
  const groups = head.split(':').filter(Boolean);
  const zeros = tail === undefined ? 0 : 8 - groups.length - tail.split(':').filter(Boolean).length;
  return [...groups, ...Array<string>(Math.max(0, zeros)).fill('0')].slice(0, count).join(':');
}

const PRIVATE_NETWORKS = new BlockList();
for (const [network, prefix] of [
  ['10.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  PRIVATE_NETWORKS.addSubnet(network, prefix, 'ipv4');
}
PRIVATE_NETWORKS.addAddress('::1', 'ipv6');
PRIVATE_NETWORKS.addSubnet('fc00::', 7, 'ipv6');
PRIVATE_NETWORKS.addSubnet('fe80::', 10, 'ipv6');

/**
 * Returns true if no stranger can have this IP address. It is ours, or an unnamed proxy hides the
 * client's.
 */
export function isPrivateAddress(ip: string | undefined): boolean {
  return ip !== undefined && PRIVATE_NETWORKS.check(ip, isIPv6(ip) ? 'ipv6' : 'ipv4');
}
