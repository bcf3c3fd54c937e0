import type { FastifyRequest } from 'fastify'
import { HttpProblem } from '../../../lib/http/http-problem.ts'
import { isSameSecret } from '../../../lib/http/is-same-secret.ts'
import { isMachineHost } from '../../../lib/http/machine-host.ts'

export interface SandboxAccess {
  /** The token that a caller must send as `Authorization: Bearer …`. */
  readonly token: string
  /** Returns the server's addresses as URLs. A request to any other name may result from DNS rebinding. */
  readonly ownUrls: () => readonly string[]
  /** A sentence that tells a caller without the token where it is. Default: the payments service's command shows it. */
  readonly whereTokenIs?: string
}

/**
 * Admits only the sandbox's owner. Throws HttpProblem: foreign_host for a name that is not the server's, foreign_origin
 * for a request that another page made, missing_token, and unsupported_media_type for a body that is not declared as
 * JSON, because any web page can send such a body.
 */
export function admitOwner({ headers, method }: FastifyRequest, access: SandboxAccess): void {
  const { token, ownUrls, whereTokenIs = '"npm run -s admin -- sandbox token" shows it.' } = access
  const { host, origin, authorization = '' } = headers
  if (!isOwnHost(host, ownUrls())) {
    const message = 'The sandbox answers only at an IP address, at localhost and at its own name. Use one of them.'
    throw new HttpProblem(403, 'foreign_host', message)
  }
  const site = headers['sec-fetch-site']
  const sameSite = site === undefined || site === 'same-origin' || site === 'none'
  if (!sameSite || (origin !== undefined && !ownUrls().some((url) => new URL(url).origin === origin))) {
    throw new HttpProblem(
      403,
      'foreign_origin',
      'Web pages are not allowed to use the sandbox. Call it from a program.',
    )
  }
  const expected = `Bearer ${token}`
  if (!isSameSecret(authorization, expected)) {
    const message = `Send the token of the sandbox in the header "Authorization: Bearer …". ${whereTokenIs}`
    throw new HttpProblem(401, 'missing_token', message, { 'www-authenticate': 'Bearer' })
  }
  if (method === 'POST' && !/^application\/json\b/i.test(headers['content-type'] ?? '')) {
    throw new HttpProblem(415, 'unsupported_media_type', 'Send the body as JSON, with Content-Type: application/json.')
  }
}

function isOwnHost(host: string | undefined, ownUrls: readonly string[]): boolean {
  if (isMachineHost(host)) return true
  const name = URL.parse(`http://${host}`)?.hostname
  return ownUrls.some((url) => new URL(url).hostname === name)
}
