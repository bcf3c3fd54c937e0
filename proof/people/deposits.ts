import type { Credit } from '../judge/holdings.ts'
import type { Span } from '../judge/moments.ts'
import { typedMsats } from '../judge/promises.ts'
import { Bug } from '../world/world.ts'
import type { Actor, PayableRequest, Stage } from './people.ts'

/** Members who request codes that fill their balances. */
export const deposits: Actor = {
  name: 'deposits',
  weight: 6,
  async act(stage) {
    await deposit(stage, stage.member(), stage.chance.between(1, 5_000))
  },
}

/**
 * Requests a code that receives this many sats, and adds it to the payables. Resolves to the payable; undefined if the
 * request is refused.
 */
export async function deposit(stage: Stage, member: string, sats: number): Promise<PayableRequest | undefined> {
  const command = { member, amount: String(sats), origin: stage.origin() }
  const ending = await stage.insist(`${member} deposits ${sats}`, (tipping) => tipping.deposits.open(command))
  if (!('done' in ending)) return undefined
  const { request, amount } = ending.done
  if (amount !== typedMsats(String(sats))) throw new Bug(`a deposit of ${sats} is one of ${amount} msats`)
  const credit: Credit = (arrived, holdings) => holdings.give(member, arrived)
  const payable = { code: request, amount, credit, counted: true }
  stage.payables.push(payable)
  return payable
}

/** Members who request sats for their own gamertag. */
export const invoices: Actor = {
  name: 'invoices',
  weight: 4,
  async act(stage) {
    await askFor(stage, stage.member(), stage.chance.between(1, 2_000), stage.chance.between(1, 5))
  },
}

export type RequestForMoney = Stage['invoices'][number]

/** Requests sats for a member's own gamertag. Resolves to the request; undefined if it is refused. */
export async function askFor(
  stage: Stage,
  member: string,
  sats: number,
  expiresInMinutes: number,
): Promise<RequestForMoney | undefined> {
  const command = { member, amount: String(sats), expiresInMinutes, origin: stage.origin() }
  const ending = await stage.insist(`${member} asks for ${sats}`, (tipping) => tipping.invoices.create(command))
  if (!('done' in ending)) return undefined
  const { id, request, amount } = ending.done
  if (amount !== typedMsats(String(sats))) throw new Bug(`a request for ${sats} is one for ${amount} msats`)
  const user = whoseRequest(stage, member, id, ending.span)
  const credit: Credit = (arrived, holdings) => holdings.pay(user, arrived)
  const payable = { code: request, amount: undefined, credit }
  const made = { id, amount: String(sats), payable }
  stage.invoices.push(made)
  stage.payables.push(payable)
  return made
}

/**
 * Returns the wallet that a member was linked to in a span; if the link changed meanwhile, the wallet in the request's
 * record.
 */
function whoseRequest(stage: Stage, member: string, id: string, span: Span): string {
  const linked = stage.world.judge.links.usersIn(member, span)
  const [only] = linked
  if (linked.size === 1 && only !== undefined) return only
  const [row] = stage.world.botBook.rows<{ lightningId: string }>(
    'SELECT "lightningId" FROM "Invoice" WHERE "id" = ?',
    id,
  )
  const user = row?.lightningId ?? ''
  if (linked.has(user)) return user
  throw new Bug(`the request of ${member} pays ${user}, to whom ${member} is not linked`)
}
