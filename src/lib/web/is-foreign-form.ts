import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether another site sent this form. Browsers report whether a request comes from another site (Fetch Metadata), or
 * at least the origin of the page (Origin). A request with neither header does not come from a browser, so it must
 * contain the form's token.
 */
export function isForeignForm(headers: IncomingHttpHeaders, publicUrl: string | undefined): boolean {
  const { 'sec-fetch-site': site, origin, host } = headers
  if (site !== undefined) return site !== 'same-origin'
  if (origin === undefined) return false
  if (publicUrl !== undefined && origin === new URL(publicUrl).origin) return false
  return URL.parse(origin)?.host !== host
}
