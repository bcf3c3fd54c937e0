import type { Actor, Stage } from './people.ts'
import { connectOwner } from './wallet-owners.ts'

/** A server whose rewards are paid from a wallet: its moderators reward people who have their own wallets. */
const GUILD = 'guild-with-wallet'
const ROLE = 'staff'
const MODERATORS = ['warden-0', 'warden-1', 'warden-2'] as const
const OWNERS = 5
/** The budget in sats, small enough that both budgets are sometimes used up. */
const BUDGET = '3000'
const APPROVAL_ABOVE = 400_000n

export const serverWallets: Actor = {
  name: 'server wallets',
  weight: 8,
  async act(stage) {
    const moderator = stage.chance.one(MODERATORS)
    const what = stage.chance.weighted({ reward: 70, decide: 20, disconnect: 5, look: 5 })
    if (what === 'disconnect') return await disconnect(stage, moderator)
    if (what === 'look') return await look(stage)
    if (what === 'decide') return await decide(stage, moderator)
    await setUp(stage, moderator)
    const owner = `owner-${stage.chance.between(0, OWNERS - 1)}`
    await connectOwner(stage, owner)
    await reward(stage, moderator, owner)
  },
}

/** Connects the server's wallet and sets its budgets, unless the wallet is already connected. */
async function setUp(stage: Stage, member: string): Promise<void> {
  const { uri } = stage.world.memberWallets.of(`server:${GUILD}`)
  await stage.insist(
    `${member} connects the server's wallet`,
    async ({ ownWallets, pools, preferences }) => {
      if ((await ownWallets.ofServer(GUILD)) !== undefined) return {}
      await pools.budget({ guild: GUILD, member, role: ROLE, amount: BUDGET, period: 'day' })
      await preferences.changeServer({ guild: GUILD, member, change: { approvalAbove: APPROVAL_ABOVE as never } })
      const { token } = await ownWallets.invite({ member, guild: GUILD, locale: 'en' })
      const outcome = await ownWallets.connect({ token, text: uri })
      if ('problem' in outcome) stage.note(`${member} cannot connect the server's wallet: ${outcome.problem}`)
      return {}
    },
    'once',
  )
}

async function disconnect(stage: Stage, member: string): Promise<void> {
  await stage.insist(`${member} disconnects the server's wallet`, ({ ownWallets }) =>
    ownWallets.disconnectServer({ guild: GUILD, member }).then(() => ({})),
  )
}

async function look(stage: Stage): Promise<void> {
  await stage.insist("the server's wallet is looked at", ({ ownWallets }) =>
    ownWallets.spendable(GUILD).then(() => ({})),
  )
}

async function reward(stage: Stage, member: string, to: string): Promise<void> {
  const amount = stage.chance.between(1, 500)
  const about = { guild: GUILD, member, roles: [ROLE], to: { id: to, bot: false }, amount: String(amount) }
  const command = { ...about, reason: 'for help', origin: { ...stage.origin(), guild: GUILD } }
  const given = await stage.insist(`${member} rewards ${to} from a wallet`, ({ rewards }) => rewards.give(command))
  if (!('done' in given)) return
  const { id } = given.done
  stage.world.judge.serverWallets.given(id, { to, amount: BigInt(amount) * 1_000n })
  stage.walletRewards.push(id)
}

/** Lets a member decide about a waiting reward: a second moderator, or the reward's author, who must not. */
async function decide(stage: Stage, member: string): Promise<void> {
  const id = stage.walletRewards.at(-stage.chance.between(1, 4))
  if (id === undefined) return
  const word = { reward: id, member }
  const verb = stage.chance.one(['approve', 'approve', 'deny'] as const)
  await stage.insist(`${member} wants to ${verb} a reward from a wallet`, ({ rewards }) =>
    verb === 'approve' ? rewards.approve(word) : rewards.deny(word),
  )
}
