import type { GuardedFetch, OutgoingRequest } from './guarded-fetch.ts'

/** A server of ours: its public address, and the address on which it listens. Neither has a trailing slash. */
export interface Nearby {
  readonly publicUrl: string
  readonly localUrl: string
}

/**
 * Returns a fetch that reaches our own server at its local address: from inside many networks, and behind many home
 * routers, the server's public address leads nowhere. Fetches all other addresses as usual.
 */
export function fetchNearby(fetch: GuardedFetch, { publicUrl, localUrl }: Nearby): GuardedFetch {
  const near = (url: string) => (url.startsWith(`${publicUrl}/`) ? localUrl + url.slice(publicUrl.length) : url)
  return Object.assign((url: string, request?: OutgoingRequest) => fetch(near(url), request), {
    for: (caller: string) => {
      const ofCaller = fetch.for(caller)
      return (url: string, request?: OutgoingRequest) => ofCaller(near(url), request)
    },
    close: () => fetch.close(),
  })
}
