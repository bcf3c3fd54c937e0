import ipaddr from 'ipaddr.js'

/** The whole of the IPv6 Internet that is in use (RFC 4291, RFC 3513); what lies outside is special or not given out. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3')

/** Addresses from public ranges that clouds answer inside a machine: Azure's platform endpoint. */
const PLATFORM_ADDRESSES = new Set(['168.63.129.16'])

/**
 * Classifies an address: `public` (anyone's on the Internet), `loopback` (this machine), or `special`: private,
 * link-local, shared, multicast, documentation, reserved, an IPv4 address inside an IPv6 one (mapped, NAT64, 6to4,
 * Teredo), or no address at all. Only an address in its plain form is read.
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

/** Whether the other end of a connection is this machine or on its own network: not the public Internet. */
export function isNearby(remoteAddress: string): boolean {
  return addressKind(plainAddress(remoteAddress)) !== 'public'
}

/** Whether the other end of a connection is this machine. */
export function isThisMachine(remoteAddress: string): boolean {
  return addressKind(plainAddress(remoteAddress)) === 'loopback'
}

/** A socket that speaks both shows IPv4 addresses inside IPv6 ones. */
function plainAddress(remoteAddress: string): string {
  return remoteAddress.replace(/^::ffff:(?=\d+\.)/i, '')
}

/**
 * The networks that count for an address, the narrowest first: an IPv4 address stands for itself; of IPv6 its /64, and the
 * /56 and /48 around it, since that is what providers give to one customer.
 */
export function networksOf(address: string): readonly string[] {
  if (!ipaddr.isValid(address)) return [address]
  const parsed = ipaddr.process(address)
  if (!(parsed instanceof ipaddr.IPv6)) return [parsed.toString()]
  const within = (bits: number) =>
    `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toNormalizedString()}/${bits}`)}/${bits}`
  return [within(64), within(56), within(48)]
}
