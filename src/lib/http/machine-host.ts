import { isIP } from 'node:net'

/**
 * Whether a `Host` header names a machine by its address or as `localhost`. Any other name may lead here because its
 * owner's name server says so (DNS rebinding), and a browser would then treat a foreign web page as ours.
 */
export function isMachineHost(host: string | undefined): boolean {
  if (host === undefined || !URL.canParse(`http://${host}`)) return false
  const { hostname } = new URL(`http://${host}`)
  return /^(?:.+\.)?localhost$/.test(hostname) || isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0
}
