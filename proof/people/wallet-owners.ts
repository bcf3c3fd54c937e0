import type { ConnectOutcome, OwnWallets, TipView } from '../../src/tipping/tipping.ts'
import type { ScriptedWallet } from '../../test/support/scripted-wallets.ts'
import { Bug } from '../world/world.ts'
import type { Actor, Stage } from './people.ts'

const OWNERS = 5

/** Members with wallets of their own, who tip each other: nothing of it is ever in the book. */
export const walletOwners: Actor = {
  name: 'wallet owners',
  weight: 5,
  async act(stage) {
    const owner = nameOf(stage)
    const what = stage.chance.weighted({ tip: 85, connect: 10, disconnect: 5 })
    if (what === 'disconnect') return await disconnect(stage, owner)
    await connectOwner(stage, owner)
    if (what === 'connect') return
    const other = nameOf(stage)
    await connectOwner(stage, other)
    if (other !== owner) await give(stage, owner, other)
  },
}

function nameOf({ chance }: Stage): string {
  return `owner-${chance.between(0, OWNERS - 1)}`
}

/** Connects the member's wallet, unless it is connected. */
export async function connectOwner(stage: Stage, member: string): Promise<void> {
  const wallet = stage.world.memberWallets.of(member)
  const byHub = stage.chance.happens(0.4)
  await stage.insist(
    `${member} connects a wallet`,
    async ({ ownWallets }) => {
      if ((await ownWallets.mine(member)) !== undefined) return {}
      const { token } = await ownWallets.invite({ member, locale: 'en' })
      const invited = await ownWallets.invited(token)
      // Somebody who asks twice at once has one link.
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

/** Connects by the wallet's own page; whether or not its owner agrees to a key, nobody else can use it. */
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

async function give(stage: Stage, from: string, to: string): Promise<void> {
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
