import ipaddr from 'ipaddr.js'

/** The IPv6 Internet in use (RFC 4291, RFC 3513). Other addresses are special or not assigned. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3')

/** Addresses in public ranges at which a cloud serves its own machines: Azure's platform endpoint. */
const PLATFORM_ADDRESSES = new Set(['168.63.129.16'])

/**
 * Classifies an address: `public` (on the Internet), `loopback` (this machine), or `special`: private, link-local,
 * shared, multicast, documentation, reserved, an IPv4 address inside an IPv6 one (mapped, NAT64, 6to4, Teredo), or no
 * address at all. Reads only addresses in their plain form.
 */
export function addressKind(address: string): 'public' | 'loopback' | 'special' {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) {
    const range = ipaddr.IPv4.parse(address).range()
    if (range === 'loopback') return 'loopback'
    return range === 'unicast' && !PLATFORM_ADDRESSES.has(address) ? 'public' : 'special'
  }
  if (!ipaddr.IPv6.isValid(address)) return 'special'
  const parsed = ipaddr.IPv6.parse(address)
  if (parsed.range() === 'loopback') return 'loopback'
  const global = parsed.match(GLOBAL_IPV6 as [ipaddr.IPv6, number]) && parsed.range() === 'unicast'
  return global ? 'public' : 'special'
}

/** Whether a connection's other end is this machine or on a private network, not on the public Internet. */
export function isNearby(remoteAddress: string): boolean {
  return addressKind(plainAddress(remoteAddress)) !== 'public'
}

/** Whether a connection's other end is this machine. */
export function isThisMachine(remoteAddress: string): boolean {
  return addressKind(plainAddress(remoteAddress)) === 'loopback'
}

/**
 * Returns a plain IPv4 address if a dual-stack socket shows it inside an IPv6 address; any other address is unchanged.
 */
function plainAddress(remoteAddress: string): string {
  return remoteAddress.replace(/^::ffff:(?=\d+\.)/i, '')
}

/**
 * Returns the networks whose limits apply to an address, narrowest first: for IPv4, the address alone; for IPv6, its
 * /64, /56 and /48, the blocks that providers assign to one customer.
 */
export function networksOf(address: string): readonly string[] {
  if (!ipaddr.isValid(address)) return [address]
  const parsed = ipaddr.process(address)
  if (!(parsed instanceof ipaddr.IPv6)) return [parsed.toString()]
  const within = (bits: number) =>
    `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/${bits}`)}/${bits}`
  return [within(64), within(56), within(48)]
}
