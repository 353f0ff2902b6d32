import { expect, test } from 'vitest';
import { clientKey, isPrivateAddress, networkKey } from './client.ts';

test.for([
  ['203.0.113.7', '203.0.113.7', null],
  ['::ffff:203.0.113.7', '::ffff:203.0.113.7', null],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2', '2001:db8:1'],
  ['2001:db8:1:2::9', '2001:db8:1:2', '2001:db8:1'],
  ['2001:db8::1', '2001:db8:0:0', '2001:db8:0'],
] as const)('a client at %s counts as %s in the network %s', ([ip, key, network]) => {
  expect([clientKey(ip), networkKey(ip)]).toEqual([key, network]);
});

test.for([
  ['127.0.0.1', true],
  ['::1', true],
  ['10.1.2.3', true],
  ['172.31.0.1', true],
  ['172.32.0.1', false],
  ['192.168.1.1', true],
  ['::ffff:192.168.1.1', true],
  ['::ffff:203.0.113.7', false],
  ['fd12::1', true],
  ['fe80::1', true],
  ['2001:db8::1', false],
  ['203.0.113.7', false],
  ['not an IP address', false],
  [undefined, false],
] as const)('the IP address %s is private: %s', ([ip, isPrivate]) => {
  expect(isPrivateAddress(ip)).toBe(isPrivate);
});
