import { isIP, type LookupFunction } from 'node:net'
import { Agent, buildConnector } from 'undici'
import { FetchFailed } from './outgoing-error.ts'
import { mayConnect, notPublic } from './outgoing-url.ts'
import { createResolver, type Resolve } from './resolve-name.ts'

/**
 * Creates a connection pool that reaches only public addresses. A name is resolved once for each connection, which then
 * leads to one of the checked addresses, so changing a name's addresses (DNS rebinding) gains an attacker nothing.
 * `allowLoopback`, for development, also permits connections to this machine, and http for these alone.
 */
export function createGuardedAgent(allowLoopback: boolean, resolve: Resolve = createResolver()): Agent {
  const connectors = new Map(
    ['http:', 'https:'].map((protocol) => {
      const allows = (address: string) => mayConnect(protocol, address, allowLoopback)
      const connect = buildConnector({ allowH2: false, timeout: 10_000, lookup: guardedLookup(resolve, allows) })
      return [protocol, { allows, connect }]
    }),
  )
  return new Agent({
    allowH2: false,
    connections: 16,
    headersTimeout: 0,
    bodyTimeout: 0,
    connect(options, callback) {
      const connector = connectors.get(options.protocol)
      // Literal addresses never reach the look-up.
      if (connector === undefined || (isIP(options.hostname) !== 0 && !connector.allows(options.hostname))) {
        return callback(notPublic(options.hostname), null)
      }
      connector.connect(options, callback)
    },
  })
}

/** Returns a look-up function for `net.connect` that finds only the permitted addresses of a name. */
export function guardedLookup(resolve: Resolve, allows: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const allowed = addresses.filter(allows).map((address) => ({ address, family: isIP(address) }))
        const [first] = allowed
        if (first === undefined) callback(notPublic(hostname), [])
        else if (options.all) callback(null, allowed)
        else callback(null, first.address, first.family)
      },
      (error: unknown) => {
        const known = error instanceof FetchFailed ? error : undefined
        callback(known ?? new FetchFailed('dns', `no address found for ${hostname}`, false, error), [])
      },
    )
  }
}
