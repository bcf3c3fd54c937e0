/** The hub that most people use. */
export const USUAL_HUB = 'https://my.albyhub.com'

/** The rights that a member grants a hub. */
export interface HubRequest {
  readonly hub: string
  /** Whole sats a month, as typed. */
  readonly budget: string
  /** Whether it gets its own balance in the hub instead of a budget. */
  readonly isolated: boolean
}

/** Why a hub cannot accept a request. */
export type HubProblem = 'hub-address' | 'hub-budget'

/** The NIP-47 methods that the bot uses. A hub grants `get_budget` with any of them. */
const METHODS = ['get_info', 'pay_invoice', 'make_invoice', 'lookup_invoice', 'get_balance']

/**
 * Returns the page on which a hub asks its owner, with the request: Alby Hub's `/apps/new` (its README, "Client created
 * secret"). The hub redirects to `returnTo` and adds its `pubkey` and `relay`. Only a browser ever opens it.
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
 * Returns `/apps/new` of the hub that somebody named. Permits http only for addresses that no stranger can intercept:
 * this machine, `.local`, `.onion`.
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
