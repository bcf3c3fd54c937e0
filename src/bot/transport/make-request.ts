import { DefaultRestOptions, type RESTOptions } from '@discordjs/rest'

type MakeRequest = RESTOptions['makeRequest']

/**
 * Sends a request to Discord, with its files encoded here. The client library leaves the encoding to its own version of
 * undici, but the request may be sent by the version that the process loaded first, which does not accept another
 * version's forms.
 */
export const makeRequest: MakeRequest = async (url, init) => {
  if (!(init.body instanceof FormData)) return await DefaultRestOptions.makeRequest(url, init)
  const encoded = new Response(init.body)
  const headers = {
    ...(init.headers as Record<string, string>),
    'content-type': encoded.headers.get('content-type') ?? '',
  }
  const body = Buffer.from(await encoded.arrayBuffer())
  return await DefaultRestOptions.makeRequest(url, { ...init, headers, body })
}
