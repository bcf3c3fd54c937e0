import { createHash } from 'node:crypto'

const THIS_MACHINE = /^https?:\/\/(?:127(?:\.\d+){3}|\[::1\]|localhost)(?::\d+)?$/

/**
 * Returns a provider's address and a digest of the API key. The port of a provider on this machine is omitted, so the
 * service counts as the same provider on another port.
 */
export function fingerprint({ origin, prefix }: { origin: string; prefix: string }, apiKey: string): string {
  const where = THIS_MACHINE.test(origin) ? 'this machine' : origin
  return `${where}${prefix}#${createHash('sha256').update(apiKey).digest('hex').slice(0, 16)}`
}

/**
 * Returns the address in a fingerprint. The address is the same for every API key of a provider, so records made with
 * an old key can be read with a new one.
 */
export function providerAddress(provider: string): string {
  return provider.slice(0, provider.lastIndexOf('#'))
}
