/** The hub that most people use. */
export const USUAL_HUB = 'https://my.albyhub.com'

/** The hub that a member chose, and the rights that the hub is asked to grant the bot. */
export interface HubRequest {
  readonly hub: string
  /** The budget in whole sats a month, as typed. */
  readonly budget: string
  /** Whether the connection gets its own balance in the hub instead of a budget. */
  readonly isolated: boolean
}

/** The reason why a request to a hub is invalid: the hub's address, or the budget. */
export type HubProblem = 'hub-address' | 'hub-budget'

/** The NIP-47 methods that the bot uses. A hub grants `get_budget` together with any of them. */
const METHODS = ['get_info', 'pay_invoice', 'make_invoice', 'lookup_invoice', 'get_balance']

/**
 * Returns the address of the page on which a hub asks its owner to approve a request, or the problem of the request.
 * The page is Alby Hub's `/apps/new` (its README, "Client created secret"), which then redirects to `returnTo` with the
 * hub's `pubkey` and `relay`. Only a browser ever opens the page.
 */
export function hubPage(
  requested: HubRequest,
  { client, returnTo }: { readonly client: string; readonly returnTo: string },
): URL | HubProblem {
  const page = addressOf(requested.hub)
  if (page === undefined) return 'hub-address'
  const asked = { name: 'Satchel', pubkey: client, return_to: returnTo }
  if (requested.isolated) return withQuery(page, { ...asked, isolated: 'true' })
  const budget = /^[1-9]\d{0,11}$/.exec(requested.budget.trim())?.[0]
  if (budget === undefined) return 'hub-budget'
  const limit = { max_amount: `${budget}000`, budget_renewal: 'monthly' }
  return withQuery(page, { ...asked, ...limit, request_methods: METHODS.join(' ') })
}

/**
 * Returns the address of `/apps/new` at the hub that somebody typed; undefined if that is no valid address. Permits
 * http only for addresses whose traffic no stranger can intercept: this machine, `.local`, `.onion`.
 */
function addressOf(typed: string): URL | undefined {
  const text = typed.trim()
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`)
  if (url === null || url.username !== '' || url.password !== '') return undefined
  const isNear = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\]|.+\.local|.+\.onion)$/.test(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isNear)) return undefined
  if (!isNear && !/[.:]/.test(url.hostname)) return undefined
  const path = url.pathname.replace(/\/+$/, '').replace(/\/apps(\/new)?$/, '')
  return new URL(`${url.origin}${path}/apps/new`)
}

function withQuery(page: URL, query: Readonly<Record<string, string>>): URL {
  page.search = new URLSearchParams(query).toString()
  return page
}
