import { BlockList, isIP } from 'node:net';

type Range = readonly [network: string, prefix: number];

// The IANA special-purpose registries, and a cloud metadata address that they lack.
const IPV4_RANGES: readonly Range[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

// Within 2000::/3, the only block that is globally routed.
const IPV6_RANGES: readonly Range[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

function blockList(ranges: readonly Range[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of ranges) list.addSubnet(network, prefix, family);
  return list;
}

const privateIpv4 = blockList(IPV4_RANGES, 'ipv4');
const privateIpv6 = blockList(IPV6_RANGES, 'ipv6');
const routedIpv6 = blockList([['2000::', 3]], 'ipv6');
const nat64 = blockList([['64:ff9b::', 96]], 'ipv6');

/** The IPv4 address in the last 32 bits of an IPv6 address, in canonical or dotted notation. */
function embeddedIpv4(address: string): string {
  const hex = new URL(`http://[${address}]`).hostname.slice(1, -1).split(':').slice(-2);
  const high = Number.parseInt(hex[0] || '0', 16);
  const low = Number.parseInt(hex[1] || '0', 16);
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/**
 * True for globally routed unicast addresses, the only targets of requests to users' URLs. False for anything that is
 * not an IP address.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !privateIpv4.check(address, 'ipv4');
  if (family !== 6 || address.includes('%')) return false;
  // NAT64 leads to the embedded IPv4 address; mapped addresses (::ffff:0:0/96) are never needed.
  if (nat64.check(address, 'ipv6')) return isPublicAddress(embeddedIpv4(address));
  return routedIpv6.check(address, 'ipv6') && !privateIpv6.check(address, 'ipv6');
}
