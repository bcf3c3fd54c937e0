import type { GuardedFetch, OutgoingRequest } from './guarded-fetch.ts'

/** A server of ours: its public address, and where it listens. Both without a slash at the end. */
export interface Nearby {
  readonly publicUrl: string
  readonly localUrl: string
}

/**
 * The same fetch, but asks our own server where it listens: from within many a network, and behind many a home router,
 * its public address leads nowhere. All other addresses are fetched as before.
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
