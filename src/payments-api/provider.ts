import { createHash } from 'node:crypto'

const THIS_MACHINE = /^https?:\/\/(?:127(?:\.\d+){3}|\[::1\]|localhost)(?::\d+)?$/

/**
 * Returns a provider's address and a digest of the key. On this machine the port is ignored, so the service stays the
 * same on another port.
 */
export function fingerprint({ origin, prefix }: { origin: string; prefix: string }, apiKey: string): string {
  const where = THIS_MACHINE.test(origin) ? 'this machine' : origin
  return `${where}${prefix}#${createHash('sha256').update(apiKey).digest('hex').slice(0, 16)}`
}

/**
 * Returns the address in a fingerprint. It is the same for every key of a provider, so a new key reads an old key's
 * records.
 */
export function providerAddress(provider: string): string {
  return provider.slice(0, provider.lastIndexOf('#'))
}
