import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether another site sent this form. Browsers report a request's origin (Fetch Metadata) or at least who made the
 * page (Origin). A request with neither is not a browser's, so it must contain the form's token.
 */
export function isForeignForm(headers: IncomingHttpHeaders, publicUrl: string | undefined): boolean {
  const { 'sec-fetch-site': site, origin, host } = headers
  if (site !== undefined) return site !== 'same-origin'
  if (origin === undefined) return false
  if (publicUrl !== undefined && origin === new URL(publicUrl).origin) return false
  return URL.parse(origin)?.host !== host
}
