import { createAdministration } from '../../src/payments-service/administration/administration.ts'
import type { Credit } from '../judge/holdings.ts'
import { Died } from '../world/crashing-database.ts'
import { isDatabaseAway } from '../world/database-away.ts'
import type { Reply } from '../world/network.ts'
import { Bug, SERVICE_URL, type SimWorld } from '../world/world.ts'
import type { Actor, PayableRequest, Stage } from './people.ts'
import { invoiceOf } from './stranger.ts'

/** Users of the service who send, receive, redeem codes and change their names on their own wallet page. */
export const users: Actor = {
  name: 'users',
  weight: 6,
  async act(stage) {
    const user = stage.chance.one(stage.world.users)
    const browser = await signIn(stage, user)
    if (browser === undefined) return
    await DOINGS[stage.chance.weighted(WEIGHTS)](stage, browser)
  },
}

const WEIGHTS = { gamertag: 3, invoice: 3, ours: 2, redeem: 2, receive: 2, rename: 1 }

type Doing = (stage: Stage, browser: Browser) => Promise<unknown>

const DOINGS: Readonly<Record<keyof typeof WEIGHTS, Doing>> = {
  gamertag: (stage, browser) =>
    sendTo(stage, browser, stage.chance.one(stage.world.users), stage.chance.between(1, 300)),
  invoice: (stage, browser) => {
    const amount = stage.chance.between(1, 300) * 1_000
    const { sandbox, judge, model } = stage.world
    const { invoice } = sandbox.outside.createInvoice()
    const fields = { invoice, amount: `${amount}`, 'max-fee': '10000', note: '' }
    const [typed, limit] = [BigInt(amount), 10_000n]
    const what = `${browser.user} pays an invoice from their page`
    judge.outgoing.pays(invoice, { what, amount: typed, limit, shownPaid: undefined })
    model.paidFromPages.set(invoice, { user: browser.user, amount: typed, limit })
    return send(stage, browser, '/wallet/send/invoice', fields, typed)
  },
  /** Pays an invoice of the service itself. */
  async ours(stage, browser) {
    const payable = stage.payables.at(-stage.chance.between(1, 8))
    const invoice = payable && (await invoiceOf(stage, payable))
    if (!payable || !invoice) return
    stage.world.model.meant.set(invoice.request, payable.credit)
    const fields = { invoice: invoice.request, amount: '', 'max-fee': '10000', note: '' }
    await send(stage, browser, '/wallet/send/invoice', fields, invoice.amount)
  },
  redeem: async (stage, browser) => {
    const code = stage.codes.at(-stage.chance.between(1, 8))
    if (code !== undefined) await send(stage, browser, '/wallet/redeem', { code })
  },
  async receive(stage, browser) {
    const payable = await receive(stage, browser, stage.chance.between(1, 500))
    if (payable !== undefined) stage.payables.push(payable)
  },
  async rename(stage, browser) {
    const { judge } = stage.world
    const gamertag = `player${stage.chance.between(0, 7)}`
    const chosen = judge.names.chooses(browser.user, gamertag, judge.now())
    const led = await send(stage, browser, '/wallet/rename', { gamertag })
    chosen(led === undefined ? 'doubtful' : 'done', judge.now())
  },
}

/**
 * Sends sats from one user to another. Resolves to the address of the resulting page; undefined if the request is
 * refused.
 */
export function sendTo(stage: Stage, browser: Browser, receiver: string, sats: number): Promise<string | undefined> {
  const amount = sats * 1_000
  return send(stage, browser, '/wallet/send/user', { receiver, amount: `${amount}`, note: '' }, BigInt(amount))
}

/**
 * Requests sats as a user, whose page then shows an invoice for this amount, no matter who pays it. Resolves to the
 * payable; undefined if the request is refused.
 */
export async function receive(stage: Stage, browser: Browser, sats: number): Promise<PayableRequest | undefined> {
  const { serviceBook, lightning } = stage.world
  const location = await send(stage, browser, '/wallet/receive', { amount: `${sats}`, note: '' })
  const [charge] = serviceBook.rows<{ request: string }>(
    'SELECT "invoiceRequest" AS request FROM "Charge" WHERE "id" = ?',
    location?.split('/').at(-1),
  )
  if (charge === undefined) return undefined
  const [invoice] = lightning.rows<{ amount: bigint }>('SELECT amount FROM invoice WHERE invoice = ?', charge.request)
  if (invoice?.amount !== BigInt(sats) * 1_000n)
    throw new Bug(`${browser.user} asked for ${sats} on their page, which made an invoice for ${invoice?.amount} msats`)
  const credit: Credit = (amount, holdings) => holdings.pay(browser.user, amount)
  return { code: charge.request, amount: invoice.amount, credit }
}

/** A signed-in browser. */
export interface Browser {
  readonly user: string
  readonly cookie: string
}

const browsers = new WeakMap<SimWorld, Map<string, Browser>>()

/**
 * Signs a user in, the first time with a link from the operator. Resolves to the user's browser; undefined if the link
 * is lost.
 */
export async function signIn(stage: Stage, user: string): Promise<Browser | undefined> {
  const known = browsers.get(stage.world) ?? new Map<string, Browser>()
  browsers.set(stage.world, known)
  const before = known.get(user)
  if (before !== undefined) return before
  const { service } = stage.world
  const { parts } = await service.up()
  const administration = createAdministration({ ...parts, sandbox: true })
  try {
    const { token } = await Promise.race([administration.userToken(user), service.life.death])
    const reply = await ask(stage, 'POST', '/wallet/sign-in', undefined, { 'sign-in-token': token })
    const cookie = String(reply?.headers['set-cookie'] ?? '').split(';')[0] ?? ''
    if (reply?.status !== 303 || cookie === '') return undefined
    const browser = { user, cookie }
    known.set(user, browser)
    return browser
  } catch (error) {
    if (error instanceof Died || isDatabaseAway(error, stage.world.faults)) return undefined
    throw error
  }
}

/**
 * Opens a page, fills in its form, and sends it until there is an answer, now and then twice. Resolves to the address
 * of the resulting page; undefined if the form was refused or there was no answer. In any case, the books have the
 * outcome at the end.
 */
async function send(
  stage: Stage,
  browser: Browser,
  path: string,
  fields: Readonly<Record<string, string>>,
  amount?: bigint,
): Promise<string | undefined> {
  const hidden = await openForm(stage, browser)
  if (hidden === undefined) return undefined
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const presses = stage.chance.happens(0.1) ? 2 : 1
    const asked = Array.from({ length: presses }, () => ask(stage, 'POST', path, browser, { ...hidden, ...fields }))
    const replies = (await Promise.all(asked)).filter((reply) => reply !== undefined)
    const led = new Set(replies.flatMap(({ status, headers }) => (status === 303 ? [headers.location ?? ''] : [])))
    if (led.size > 1) throw new Bug(`one form of ${path} led to ${[...led]}`)
    const [location] = led
    if (location !== undefined) {
      stage.note(`${browser.user}: ${path} leads to ${location}`)
      stage.world.model.seen.set(location, { user: browser.user, amount, receiver: fields.receiver })
      return location
    }
    const refusal = replies.find(({ status }) => status < 500 && status !== 429)
    if (refusal !== undefined) {
      stage.note(`${browser.user}: ${path} is refused with ${refusal.status}`)
      return undefined
    }
    await stage.pause(20_000)
  }
  return undefined
}

/**
 * Reads the hidden fields that every form has: the token that proves that the form comes from the page, and the number
 * of this copy of the form.
 */
export async function openForm(stage: Stage, browser: Browser): Promise<Record<string, string> | undefined> {
  const page = await ask(stage, 'GET', '/wallet/redeem', browser)
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page?.body ?? '')?.[1]
  const [token, nonce] = [field('token'), field('nonce')]
  return token === undefined || nonce === undefined ? undefined : { token, nonce }
}

/** Sends one request of a browser. Resolves to the reply; undefined if there is no answer from the service. */
export async function ask(
  stage: Stage,
  method: 'GET' | 'POST',
  path: string,
  browser?: Browser,
  fields?: Readonly<Record<string, string>>,
): Promise<Reply | undefined> {
  const { network, internet } = stage.world
  const request = {
    method,
    url: new URL(`${SERVICE_URL}${path}`),
    headers: {
      ...(browser === undefined ? {} : { cookie: browser.cookie }),
      ...(fields === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
    },
    body: fields && new URLSearchParams(fields).toString(),
  }
  // Every form has its own number, so a repetition is harmless; a link signs in once, and a code gives tokens once.
  const repeatable = fields?.['sign-in-token'] === undefined && fields?.grant_type === undefined
  const exchange = {
    what: `${method} ${path} of a user`,
    repeatable,
    signal: network.timeLimit(30_000),
    deliver: () => internet(request),
  }
  return network.carry(exchange).catch(() => undefined)
}
