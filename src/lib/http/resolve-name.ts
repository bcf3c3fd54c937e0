import { Resolver } from 'node:dns/promises'
import { FetchFailed } from './outgoing-error.ts'

/** All IP addresses of a host name; throws when there is none. */
export type Resolve = (hostname: string) => Promise<string[]>

export interface ResolverOptions {
  /** How long one question to one server may take, in ms; default 1.5 s. It is asked twice at most. */
  readonly timeoutMs?: number
  /** Name servers as `address:port`; the system's when not given. */
  readonly servers?: readonly string[]
}

/** Look-ups of one site at once; further ones wait. Its names may hang for all of their time: other sites do not notice. */
const MAX_CONCURRENT_PER_SITE = 4
/** Look-ups of one site that wait, at most. */
const MAX_WAITING_PER_SITE = 64

interface Site {
  running: number
  readonly waiting: (() => void)[]
}

/**
 * Resolves names by asking name servers directly (c-ares). The system's own resolver (`getaddrinfo`) blocks one of four
 * threads for each question, so a dozen names whose servers never answer would stop every look-up of the process. Here a
 * question holds no thread, ends by its time limit, and counts for its site. The hosts file is not read.
 */
export function createResolver(options: ResolverOptions = {}): Resolve {
  const resolver = new Resolver({ timeout: options.timeoutMs ?? 1_500, tries: 2 })
  if (options.servers !== undefined) resolver.setServers([...options.servers])
  const underWay = new Map<string, Promise<string[]>>()
  const sites = new Map<string, Site>()

  async function ask(name: string): Promise<string[]> {
    const families = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    const found = families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []))
    if (found.length > 0) return found
    throw families.find((family) => family.status === 'rejected')?.reason
  }

  async function askInTurn(name: string): Promise<string[]> {
    const siteName = siteOf(name)
    const site = sites.get(siteName) ?? { running: 0, waiting: [] }
    sites.set(siteName, site)
    if (site.waiting.length >= MAX_WAITING_PER_SITE) {
      throw new FetchFailed(
        'dns',
        `too many names of ${siteName} are being looked up; try again in a few seconds`,
        false,
      )
    }
    if (site.running < MAX_CONCURRENT_PER_SITE) site.running += 1
    else await new Promise<void>((resolve) => site.waiting.push(resolve))
    try {
      return await ask(name)
    } finally {
      // The longest waiting takes over this place.
      const next = site.waiting.shift()
      if (next) next()
      else site.running -= 1
      if (site.running === 0) sites.delete(siteName)
    }
  }

  return (hostname) => {
    const name = hostname.toLowerCase().replace(/\.$/, '')
    const answer = underWay.get(name) ?? askInTurn(name).finally(() => underWay.delete(name))
    underWay.set(name, answer)
    return answer
  }
}

/** The last two labels of a name: about what one owner has. */
function siteOf(name: string): string {
  return name.split('.').slice(-2).join('.')
}
