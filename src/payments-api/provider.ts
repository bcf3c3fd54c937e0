import { createHash } from 'node:crypto'

const THIS_MACHINE = /^https?:\/\/(?:127(?:\.\d+){3}|\[::1\]|localhost)(?::\d+)?$/

/**
 * A provider's address and a digest of the key it is asked with. On this machine the port does not count: the service is the same
 * when it is moved to another.
 */
export function fingerprint({ origin, prefix }: { origin: string; prefix: string }, apiKey: string): string {
  const where = THIS_MACHINE.test(origin) ? 'this machine' : origin
  return `${where}${prefix}#${createHash('sha256').update(apiKey).digest('hex').slice(0, 16)}`
}

/** The address in a fingerprint: the same for every key of a provider, so a new key reads an old key's records. */
export function providerAddress(provider: string): string {
  return provider.slice(0, provider.lastIndexOf('#'))
}
