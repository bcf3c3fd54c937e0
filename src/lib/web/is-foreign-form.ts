import type { IncomingHttpHeaders } from 'node:http'

/**
 * Whether another site sent this form. Browsers say where a request comes from (Fetch Metadata) or at least who made
 * the page (Origin). A request that says neither is not a browser's, so it needs the form's token all the more.
 */
export function isForeignForm(headers: IncomingHttpHeaders, publicUrl: string | undefined): boolean {
  const { 'sec-fetch-site': site, origin, host } = headers
  if (site !== undefined) return site !== 'same-origin'
  if (origin === undefined) return false
  if (publicUrl !== undefined && origin === new URL(publicUrl).origin) return false
  return URL.parse(origin)?.host !== host
}
