import { NwcWalletError } from '../../src/lib/nostr/wallet-connect/nwc-client.ts'
import type { ConnectOutcome, OwnWallets, TipView } from '../../src/tipping/tipping.ts'
import type { ScriptedWallet } from '../../test/support/scripted-wallets.ts'
import { handOf } from '../judge/own-wallets.ts'
import { Bug } from '../world/world.ts'
import type { Actor, Stage } from './people.ts'

const OWNERS = 5

/** Members with their own wallets, who tip each other: the bot's book never has any of the sats. */
export const walletOwners: Actor = {
  name: 'wallet owners',
  weight: 5,
  async act(stage) {
    const owner = nameOf(stage)
    const what = stage.chance.weighted({ tip: 60, byHand: 17, promise: 10, newcomer: 5, connect: 5, disconnect: 3 })
    if (what === 'newcomer') return await connectOwner(stage, newcomerOf(stage))
    if (what === 'byHand') return await payByHand(stage)
    if (what === 'disconnect') return await disconnect(stage, owner)
    await connectOwner(stage, owner)
    if (what === 'connect') return
    if (what === 'promise') return await promiseOrRevoke(stage, owner)
    const other = nameOf(stage)
    await connectOwner(stage, other)
    if (other !== owner) await give(stage, owner, other)
  },
}

function nameOf({ chance }: Stage): string {
  return `owner-${chance.between(0, OWNERS - 1)}`
}

/** Returns somebody without a wallet; promises to them are paid when they connect one. */
function newcomerOf({ chance }: Stage): string {
  return `owner-late-${chance.between(0, 19)}`
}

/** Connects the member's wallet, unless it is already connected. */
export async function connectOwner(stage: Stage, member: string): Promise<void> {
  const wallet = stage.world.memberWallets.of(member)
  const byHub = stage.chance.happens(0.4)
  await stage.insist(
    `${member} connects a wallet`,
    async ({ ownWallets }) => {
      if ((await ownWallets.mine(member)) !== undefined) return {}
      const { token } = await ownWallets.invite({ member, locale: 'en' })
      const invited = await ownWallets.invited(token)
      // Two simultaneous requests by one member give one link.
      if (invited !== undefined && invited.member !== member)
        throw new Bug(`a link of ${member} is ${invited.member}'s`)
      const outcome = byHub
        ? await agree(ownWallets, wallet, token)
        : await ownWallets.connect({ token, text: wallet.uri })
      if ('problem' in outcome) stage.note(`${member} cannot connect: ${outcome.problem}`)
      return {}
    },
    'once',
  )
}

/**
 * Connects a wallet through the wallet's own page; whether or not the wallet's owner agrees to a key, nobody else can
 * use the key.
 */
async function agree(ownWallets: OwnWallets, wallet: ScriptedWallet, token: string): Promise<ConnectOutcome> {
  const begun = await ownWallets.begin(token)
  if (begun === undefined) return { problem: 'link-over' }
  wallet.agreed.add(begun.client)
  const { walletPubkey, relays } = wallet.connection
  return await ownWallets.finish({ token, state: begun.state, wallet: walletPubkey, relays })
}

async function disconnect(stage: Stage, member: string): Promise<void> {
  await stage.insist(`${member} disconnects`, ({ ownWallets }) => ownWallets.disconnect(member).then(() => ({})))
}

export async function give(stage: Stage, from: string, to: string): Promise<void> {
  const { judge } = stage.world
  const amount = String(stage.chance.between(1, 500))
  const command = { from, to: [{ id: to, bot: false }], amount, origin: stage.origin() }
  const given = await stage.insist<{ readonly id?: string; readonly tip?: TipView }>(
    `${from} tips ${to} ${amount} from a wallet`,
    async (tipping) => {
      const tip = await tipping.tips.ask(command)
      return 'asked' in tip ? {} : { id: tip.id, tip }
    },
  )
  if ('done' in given && given.done.tip)
    judge.ownWallets.given(given.done.tip.id, { from, to, amount: BigInt(amount) * 1_000n })
}

/**
 * Pays the invoice that a giver is shown if their wallet is silent or refuses, from their second wallet, sometimes too
 * late or a second time.
 */
async function payByHand(stage: Stage): Promise<void> {
  const shown = stage.world.botBook.rows<{ payment: string; member: string }>(
    `SELECT "record" AS payment, "member" FROM "Card" WHERE "kind" = 'wallet-invoice' ORDER BY "createdAt" DESC LIMIT 5`,
  )
  if (shown.length === 0) return
  const { payment, member } = stage.chance.one(shown)
  const seen = await stage.insist<{ readonly id?: string; readonly invoice?: string }>(
    `${member} is shown an invoice to pay by hand`,
    async ({ ownWallets }) => {
      const { state, invoice } = await ownWallets.byHand(payment)
      return state === 'open' ? { invoice } : {}
    },
  )
  if (!('done' in seen) || seen.done.invoice === undefined) return
  const { network } = stage.world.memberWallets
  await stage.pause(30_000)
  try {
    network.settle(stage.world.memberWallets.of(handOf(member)), seen.done.invoice)
    stage.note(`${member} pays by hand`)
  } catch (error) {
    if (!(error instanceof NwcWalletError)) throw error
    stage.note(`${member} cannot pay by hand: ${error.code}`)
  }
}

/** Tips somebody who may have no wallet yet, or withdraws a promise. */
async function promiseOrRevoke(stage: Stage, from: string): Promise<void> {
  const { judge } = stage.world
  if (stage.chance.happens(0.2)) return await revoke(stage, from)
  const [to, sats] = [newcomerOf(stage), stage.chance.between(1, 200)]
  const about = { from, to: [{ id: to, bot: false }], amount: String(sats), source: 'wallet' } as const
  const command = { ...about, origin: stage.origin() }
  const given = await stage.insist<{ readonly id?: string }>(`${from} promises ${to} ${sats}`, async (tipping) => {
    const tip = await tipping.tips.ask(command)
    return 'asked' in tip ? {} : { id: tip.id }
  })
  if ('done' in given && given.done.id !== undefined)
    judge.ownWallets.promised(given.done.id, { from, to, amount: BigInt(sats) * 1_000n })
}

async function revoke(stage: Stage, member: string): Promise<void> {
  const seen = await stage.insist<{ readonly id?: string }>(`${member} looks at promises`, async ({ ownWallets }) => {
    const promise = (await ownWallets.promises(member))[0]?.id
    return promise === undefined ? {} : { id: promise }
  })
  if (!('done' in seen) || seen.done.id === undefined) return
  const promise = seen.done.id
  await stage.insist(`${member} takes a promise back`, ({ ownWallets }) =>
    ownWallets.revoke({ promise, member }).then(({ id }) => ({ id })),
  )
}
