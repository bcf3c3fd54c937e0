import { sats } from '../../src/lib/money/amount.ts'
import type { WithdrawalView } from '../../src/tipping/tipping.ts'
import type { TypedWithdrawal } from '../judge/withdrawals.ts'
import { OUTSIDE_HOST, SERVICE_URL } from '../world/world.ts'
import { look } from './members.ts'
import type { Actor, Ending, Stage } from './people.ts'

/** Members who withdraw sats by a code, an invoice or an address, and confirm, cancel, or do both. */
export const withdrawals: Actor = {
  name: 'withdrawals',
  weight: 9,
  async act(stage) {
    const member = stage.member()
    const kind = stage.chance.weighted({ small: 70, any: 20, part: 10 })
    const amount = {
      small: String(stage.chance.between(1, 800)),
      any: stage.amount(),
      part: stage.chance.one(['all', 'half']),
    }[kind]
    await withdraw(stage, member, amount, destination(stage, amount))
  },
}

/** Withdraws sats for a member, who confirms or cancels when asked. */
export async function withdraw(
  stage: Stage,
  member: string,
  amount: string,
  where: Destination,
  mind?: Mind,
): Promise<void> {
  const { to } = where
  const command = { member, amount, origin: stage.origin(), ...(to === undefined ? {} : { to }) }
  const { judge, botBook } = stage.world
  const asks = judge.balances.asks(botBook, member)
  const asked = await stage.insist(`${member} withdraws ${amount} ${to ?? ''}`, ({ withdrawals }) =>
    withdrawals.ask(command),
  )
  // If an address or a code limits the amount, it may be less.
  const open = where.credit === undefined && !to?.includes('@')
  if ('done' in asked && open) judge.balances.withdraws(asked.done, amount, asks(0n))
  await decide(stage, { member, amount, ...where, request: false, span: asked.span }, asked, mind)
}

/** Members who pay other members' requests from their balance. */
export const requestPayers: Actor = {
  name: 'request payers',
  weight: 3,
  async act(stage) {
    if (stage.invoices.length === 0) return
    await payRequest(stage, stage.member(), stage.chance.one(stage.invoices.slice(-5)))
  },
}

/** Pays a request for money as a member, after a confirmation if necessary. */
export async function payRequest(
  stage: Stage,
  member: string,
  { id: invoice, amount, payable }: Stage['invoices'][number],
): Promise<void> {
  const command = { invoice, member, origin: stage.origin() }
  const asked = await stage.insist(`${member} pays a request`, ({ withdrawals }) => withdrawals.pay(command))
  const typed = { member, amount, to: payable.code, credit: payable.credit, gamertag: undefined, request: true }
  await decide(stage, { ...typed, span: asked.span }, asked)
}

type Destination = Pick<TypedWithdrawal, 'to' | 'credit' | 'gamertag'>

const NOBODY_KNOWN = { credit: undefined, gamertag: undefined }

function destination(stage: Stage, amount: string): Destination {
  const { chance, world } = stage
  const payable = stage.payables.at(-chance.between(1, 4))
  const gamertag = `player${chance.between(0, 7)}`
  const outside = (most?: string) =>
    world.sandbox.outside.createInvoice({ amount: /^\d+$/.test(most ?? '') ? sats(Number(most)) : undefined }).invoice
  switch (chance.weighted({ request: 4, invoice: 4, open: 1, outside: 2, gamertag: 2, code: 1 })) {
    case 'request':
      return { ...NOBODY_KNOWN, to: undefined }
    case 'invoice':
      return { ...NOBODY_KNOWN, to: outside(amount) }
    case 'open':
      return { ...NOBODY_KNOWN, to: outside() }
    case 'outside':
      return { ...NOBODY_KNOWN, to: `someone@${OUTSIDE_HOST}` }
    case 'gamertag':
      return { credit: undefined, gamertag, to: `${gamertag}@${new URL(SERVICE_URL).hostname}` }
    case 'code':
      return { ...NOBODY_KNOWN, to: payable?.code, credit: payable?.credit }
  }
}

/** A member's answer to the confirmation. */
export type Mind = 'yes' | 'no' | 'no, then yes'

async function decide(
  stage: Stage,
  typed: TypedWithdrawal,
  asked: Ending<WithdrawalView>,
  mind: Mind = stage.chance.weighted({ yes: 90, no: 5, 'no, then yes': 5 }),
): Promise<void> {
  if (!('done' in asked)) return
  const { id } = asked.done
  const { member } = typed
  const { judge } = stage.world
  judge.withdrawals.asked(asked.done, typed)
  if (stage.chance.happens(0.15)) await pressOthers(stage, id, member)
  const decision = () => ({ withdrawal: id, member, origin: stage.origin() })
  if (mind !== 'yes') {
    const cancel = decision()
    const off = await stage.insist(`${member} calls it off`, ({ withdrawals }) => withdrawals.cancel(cancel))
    if ('done' in off && off.done.state === 'cancelled') judge.withdrawals.calledOff.add(id)
    if (mind === 'no') return
  }
  const confirm = decision()
  const confirmed = await stage.insist(`${member} confirms`, ({ withdrawals }) => withdrawals.confirm(confirm))
  if (stage.chance.happens(0.2)) {
    const again = decision()
    await stage.insist(`${member} confirms again`, ({ withdrawals }) => withdrawals.confirm(again))
  }
  typed.span = { ...typed.span, to: judge.now() }
  if ('done' in confirmed && confirmed.done.request !== undefined) {
    const { request } = confirmed.done
    if (stage.chance.happens(0.15)) void endCode(stage, id, member)
    stage.claimables.push({ request, worth: asked.done.amount, limit: asked.done.feeLimit, of: { withdrawal: id } })
  }
  if (stage.chance.happens(0.3)) await look(stage, member)
}

/** Lets a member end a code that they were shown, whether or not a wallet has scanned it. */
async function endCode(stage: Stage, withdrawal: string, member: string): Promise<void> {
  await stage.pause(60_000)
  const word = { withdrawal, member, origin: stage.origin() }
  const ended = await stage.insist<{ readonly id?: string; readonly end: 'cancelled' | 'claimed' }>(
    `${member} ends a code`,
    ({ withdrawals }) => withdrawals.cancelCode(word).then((end) => ({ end })),
  )
  if ('done' in ended && ended.done.end === 'cancelled') stage.world.judge.withdrawals.endedCodes.add(withdrawal)
}

/** Presses a button that belongs to another member. */
async function pressOthers(stage: Stage, withdrawal: string, owner: string): Promise<void> {
  const member = stage.member()
  if (member === owner) return
  const word = { withdrawal, member, origin: stage.origin() }
  const verb = stage.chance.one(['confirm', 'cancel'] as const)
  const what = `${member} presses what ${owner} was asked`
  const pressed = await stage.insist(what, ({ withdrawals }) => withdrawals[verb](word))
  if ('done' in pressed) stage.world.judge.withdrawals.obeyed(withdrawal, member)
}
