import { AsyncLocalStorage } from 'node:async_hooks'
import { Resolver } from 'node:dns/promises'
import { getDomain } from 'tldts'
import { FetchFailed } from './outgoing-error.ts'

/** Resolves to all IP addresses of a host name. Throws if there are none. */
export type Resolve = (hostname: string) => Promise<string[]>

export interface ResolverOptions {
  /** The time limit for one query to one server, in ms; default 1.5 s. Each server is queried twice at most. */
  readonly timeoutMs?: number
  /** Name servers as `address:port`. Default: the system's. */
  readonly servers?: readonly string[]
}

/** The requester of a look-up, if known. */
interface LookingUp {
  /** A project, user or member, each of whom has only a share of a site's look-ups. */
  readonly caller?: string | undefined
  /** The signal that aborts when this caller no longer waits for the answer. */
  readonly signal?: AbortSignal | undefined
}

/** The requester of the look-ups within `run`. A connection's look-up function has no argument for the requester. */
export const lookingUp = new AsyncLocalStorage<LookingUp>()

/**
 * The most simultaneous look-ups of one site; further ones wait. Even if all look-ups of a site last until their time
 * limit, other sites are not affected.
 */
const MAX_CONCURRENT_PER_SITE = 4
/** The most simultaneous look-ups of one site for one caller, so that others get their turn. */
const MAX_CONCURRENT_PER_CALLER = 2
/** The most look-ups of one site that may wait: in total, and for one caller. */
const MAX_WAITING_PER_SITE = 64
const MAX_WAITING_PER_CALLER = 8

interface LookUp {
  readonly name: string
  readonly caller: string | undefined
  readonly answer: PromiseWithResolvers<string[]>
  /** How many callers wait for the answer. */
  wanted: number
  cancel: () => void
}

class Site {
  readonly running = new Set<LookUp>()
  readonly waiting = new Set<LookUp>()

  hasTurn({ caller }: LookUp): boolean {
    if (this.running.size >= MAX_CONCURRENT_PER_SITE) return false
    return caller === undefined || countOf(this.running, caller) < MAX_CONCURRENT_PER_CALLER
  }

  isFullFor({ caller }: LookUp): boolean {
    if (this.waiting.size >= MAX_WAITING_PER_SITE) return true
    return caller !== undefined && countOf(this.waiting, caller) >= MAX_WAITING_PER_CALLER
  }
}

function countOf(lookUps: ReadonlySet<LookUp>, caller: string): number {
  return [...lookUps].filter((each) => each.caller === caller).length
}

/**
 * Creates a resolver that queries name servers directly (c-ares). The system's own resolver (`getaddrinfo`) blocks one
 * of four threads for each query, so a dozen names whose servers never answer would stop every look-up of the process.
 * Here, a query occupies no thread, ends at its time limit, counts toward the limits of its site and of its caller
 * (`lookingUp`), and is cancelled when nobody waits for the answer any more. Does not read the hosts file.
 */
export function createResolver(options: ResolverOptions = {}): Resolve {
  const underWay = new Map<string, LookUp>()
  const sites = new Map<string, Site>()

  function start(site: Site, siteName: string, lookUp: LookUp): void {
    site.waiting.delete(lookUp)
    site.running.add(lookUp)
    void ask(lookUp, options)
      .then(lookUp.answer.resolve, lookUp.answer.reject)
      .finally(() => {
        site.running.delete(lookUp)
        end(siteName, lookUp)
      })
  }

  /** Ends a look-up, and starts the waiting look-ups that now have a turn, in the order in which they came. */
  function end(siteName: string, lookUp: LookUp): void {
    if (underWay.get(lookUp.name) === lookUp) underWay.delete(lookUp.name)
    const site = sites.get(siteName)
    if (site === undefined) return
    for (const next of site.waiting) if (site.hasTurn(next)) start(site, siteName, next)
    if (site.running.size === 0 && site.waiting.size === 0) sites.delete(siteName)
  }

  function begin(name: string, caller: string | undefined): LookUp {
    const siteName = siteOf(name)
    const site = sites.get(siteName) ?? new Site()
    const lookUp: LookUp = { name, caller, answer: Promise.withResolvers(), wanted: 0, cancel: () => undefined }
    if (!site.hasTurn(lookUp) && site.isFullFor(lookUp)) {
      const message = `too many names of ${siteName} are being looked up; try again in a few seconds`
      throw new FetchFailed('dns', message, false)
    }
    sites.set(siteName, site)
    underWay.set(name, lookUp)
    lookUp.cancel = () => {
      site.waiting.delete(lookUp)
      lookUp.answer.reject(new FetchFailed('aborted', `nobody waits for ${name} any more`, false))
      end(siteName, lookUp)
    }
    if (site.hasTurn(lookUp)) start(site, siteName, lookUp)
    else site.waiting.add(lookUp)
    return lookUp
  }

  return async (hostname) => {
    const { caller, signal } = lookingUp.getStore() ?? {}
    const name = hostname.toLowerCase().replace(/\.$/, '')
    const lookUp = underWay.get(name) ?? begin(name, caller)
    lookUp.wanted += 1
    const leave = () => {
      lookUp.wanted -= 1
      if (lookUp.wanted > 0) return
      underWay.delete(name)
      lookUp.cancel()
    }
    signal?.addEventListener('abort', leave, { once: true })
    try {
      return await lookUp.answer.promise
    } finally {
      signal?.removeEventListener('abort', leave)
    }
  }
}

/** Queries name servers for a name's IPv4 and IPv6 addresses. `lookUp.cancel` ends the queries. */
async function ask(lookUp: LookUp, options: ResolverOptions): Promise<string[]> {
  // One resolver for each query, because cancelling ends all queries of a resolver.
  const resolver = new Resolver({ timeout: options.timeoutMs ?? 1_500, tries: 2 })
  if (options.servers !== undefined) resolver.setServers([...options.servers])
  lookUp.cancel = () => resolver.cancel()
  const families = await Promise.allSettled([resolver.resolve4(lookUp.name), resolver.resolve6(lookUp.name)])
  const found = families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []))
  if (found.length > 0) return found
  throw families.find((family) => family.status === 'rejected')?.reason
}

/**
 * Returns the name's site, the part that one owner controls, according to the public suffix list: `example.co.uk` for
 * `a.b.example.co.uk`.
 */
function siteOf(name: string): string {
  return getDomain(name, { allowPrivateDomains: true }) ?? name.split('.').slice(-2).join('.')
}
