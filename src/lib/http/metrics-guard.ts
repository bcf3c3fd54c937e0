import type { FastifyRequest } from 'fastify'
import { HttpProblem } from './http-problem.ts'
import { isSameSecret } from './is-same-secret.ts'
import { isThisMachine } from './public-address.ts'

export interface MetricsGuard {
  readonly metricsToken?: string | undefined
  /** This server's public address. */
  readonly publicUrl?: string | undefined
  readonly trustProxy: boolean | string
}

/** Headers that proxies may add when they forward a request. None of these headers is certain to be added. */
const FORWARDING = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip']

/**
 * Throws HttpProblem (403 not_from_here) for a caller who may not see the figures. With a token, only callers who send
 * it may see them. Without a token, only callers on this machine may see them, and only if nothing indicates a proxy
 * here that is open to the world, because through such a proxy strangers' connections would also come from this
 * machine.
 */
export function refuseStranger({ raw, headers }: FastifyRequest, settings: MetricsGuard): void {
  const { metricsToken } = settings
  if (metricsToken !== undefined) {
    if (isSameSecret(headers.authorization ?? '', `Bearer ${metricsToken}`)) return
    throw notFromHere('Send METRICS_TOKEN in the header "Authorization: Bearer …".')
  }
  const isForwarded = FORWARDING.some((name) => headers[name] !== undefined)
  const { remoteAddress } = raw.socket
  const isFromHere = remoteAddress !== undefined && isThisMachine(remoteAddress) && isNamedLocally(headers.host)
  if (isFromHere && !isForwarded && !isPublic(settings)) return
  throw notFromHere(
    'Without METRICS_TOKEN figures are shown only on the machine itself, and only where no public address (SERVICE_PUBLIC_URL, for a bot CALLBACK_PUBLIC_URL) and no TRUST_PROXY is set. Set METRICS_TOKEN and send it in the header "Authorization: Bearer …".',
  )
}

/**
 * Whether the caller used a local name. A tunnel connects from this machine and possibly adds no header, but passes on
 * the host name that the caller used.
 */
function isNamedLocally(host: string | undefined): boolean {
  if (host === undefined || !URL.canParse(`http://${host}`)) return false
  return isLocalName(new URL(`http://${host}`).hostname)
}

function isLocalName(hostname: string): boolean {
  return hostname === 'localhost' || isThisMachine(hostname.replace(/^\[(.*)\]$/, '$1'))
}

/** Whether the server, according to its settings, serves other machines through a proxy. */
function isPublic({ publicUrl, trustProxy }: MetricsGuard): boolean {
  if (trustProxy !== false) return true
  if (publicUrl === undefined) return false
  return !isLocalName(new URL(publicUrl).hostname)
}

function notFromHere(message: string): HttpProblem {
  return new HttpProblem(403, 'not_from_here', message)
}
