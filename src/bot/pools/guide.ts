import { type APISelectMenuComponent, ButtonStyle, ComponentType, roleMention } from 'discord.js'
import { floorToSat, sats } from '../../lib/money/amount.ts'
import type { PoolView } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import type {
  Choice,
  Choosing,
  Form,
  FormButton,
  FormReply,
  Opening,
  Press,
  Submission,
} from '../interactions/command.ts'
import { mustModerate, serverOfManager, serverOfModerator } from '../interactions/in-server.ts'
import { button, type Message } from '../messages/message.ts'
import { colour, panel, small } from '../messages/panel.ts'
import { noBudget } from '../refusals/budget-remedies.ts'
import { CommandRefusal } from '../refusals/command-refusal.ts'
import { isOwn } from '../spending/shortfalls.ts'
import { type ServerWallet, serverWalletOf, walletButtons, walletLines } from './server-wallet.ts'

/** The first weekly budget of a role that is selected below the pool. `/pool budget` changes the budget. */
const FIRST_BUDGET = sats(1_000)

/** Opens the form that asks how much to put into the pool. */
export const poolFill = {
  verb: 'pool-fill',
  names: 'nothing',
  async open({ t, caller }: Opening): Promise<Form> {
    await mustModerate({ caller })
    const hint = t('pool.fillHint')
    return {
      verb: poolFillForm.verb,
      record: 'here',
      title: t('pool.fillButton'),
      fields: [{ name: 'amount', label: t('pool.fillLabel'), hint, longest: 40, value: '1000' }],
    }
  },
} satisfies FormButton

/** Shows a code that fills the pool with the typed amount. */
export const poolFillForm = {
  verb: 'pool-fill-form',
  names: 'nothing',
  answer: 'private',
  async submit({ member, origin, values, tipping, ...asking }: Submission) {
    const guild = await serverOfModerator(asking)
    const { card } = await tipping.pools.fund({ guild, member, amount: values.amount ?? '', origin })
    return { card }
  },
} satisfies FormReply

/** Sets the first budget of the selected role. */
export const poolRole = {
  verb: 'pool-role',
  names: 'nothing',
  answer: 'update',
  async choose(choosing: Choosing) {
    const {
      member,
      chosen: [role],
      tipping,
    } = choosing
    // People who may spend do not decide how much.
    const guild = serverOfManager(choosing)
    if (role === undefined) throw new CommandRefusal('commandRefusals.stale-button')
    const amount = String(FIRST_BUDGET / 1_000n)
    await tipping.pools.budget({ guild, member, role, amount, period: 'week' })
    return { say: await sayPool(choosing, guild) }
  },
} satisfies Choice

/** A person who views a pool. */
interface PoolReader {
  readonly manager: boolean
  readonly moderator: boolean
  /** Returns whether the person has the role with this id. */
  readonly has: (role: string) => boolean
}

/** Builds the message about the pool, and about the wallet that pays in its place, as far as this person may see it. */
export async function sayPool(
  { caller, tipping, links, t }: Pick<Press, 'caller' | 'tipping' | 'links' | 't'>,
  guild: string,
): Promise<Message> {
  const has = (role: string) => isOwn(role, { guild, caller })
  const reader = { manager: caller.manager, moderator: await caller.moderates(), has }
  const [view, wallet] = await Promise.all([
    tipping.pools.view(guild),
    serverWalletOf({ tipping, links }, guild, reader.moderator),
  ])
  return poolMessage({ ...view, wallet, holdsSats: tipping.holdsSats }, t, reader)
}

interface PoolShown extends PoolView {
  readonly wallet: ServerWallet
  /** Whether the pool itself holds sats; false if only the server's wallet pays rewards. */
  readonly holdsSats: boolean
}

/**
 * Shows a pool's balance, and the roles that may spend it. Until the pool has sats and such roles, also shows the next
 * steps with their controls.
 */
function poolMessage(view: PoolShown, t: Translator, { manager, moderator, has }: PoolReader): Message {
  const { available, reserved, budgets, open, wallet, holdsSats } = view
  if (!moderator) return poolForMembers(view, t)
  const isEmpty = available + reserved === 0n && wallet.own === undefined
  const walletStep = wallet.offered ? 'refusals.server-wallet-needed' : 'commandRefusals.connect-page-here'
  const steps = [
    ...(isEmpty ? [t(holdsSats ? 'pool.stepFill' : walletStep)] : []),
    ...(budgets.length === 0 ? [t('pool.stepBudget', { amount: FIRST_BUDGET })] : []),
  ]
  const mayGive = budgets.length === 0 || budgets.some(({ role }) => has(role))
  const lines = [
    holdsSats ? `## ${t.amount(floorToSat(available))}` : '',
    ...walletLines(wallet, t),
    wallet.own !== undefined && holdsSats ? small(t('pool.walletFirst')) : '',
    ...steps.map((step, at) => (steps.length > 1 ? `**${at + 1}.** ${step}` : step)),
    wallet.own === undefined && wallet.offered ? t('pool.walletOffer') : '',
    reserved > 0n ? t('pool.reserved', { amount: reserved }) : '',
    budgets.length === 0 ? '' : t('pool.budgets'),
    ...budgets.map(({ role, amount, period }) => t(`pool.budgetLine.${period}`, { role: roleMention(role), amount })),
    open.length === 0 ? '' : t('pool.open', { count: open.length }),
    mayGive ? small(t(isEmpty || budgets.length === 0 ? 'pool.stepsLeft' : 'pool.ready')) : noBudget({ manager }, t),
  ]
  const style = isEmpty ? ButtonStyle.Primary : ButtonStyle.Secondary
  return {
    embeds: [panel(colour.satchel, lines, { title: t('pool.title') })],
    menus: budgets.length === 0 && manager ? [roleMenu(t)] : [],
    buttons: [
      ...(holdsSats ? [button(poolFill.verb, 'here', t('pool.fillButton'), { emoji: '⚡', style })] : []),
      ...walletButtons(wallet, t),
    ],
  }
}

/** Shows a pool to members who may only give to the pool: its balance, and how to give. */
function poolForMembers({ available, reserved, open, wallet, holdsSats }: PoolShown, t: Translator): Message {
  const lines = [
    holdsSats ? `## ${t.amount(floorToSat(available))}` : '',
    ...walletLines(wallet, t),
    holdsSats || wallet.own !== undefined ? '' : t('refusals.server-wallet-needed'),
    reserved > 0n ? t('pool.reserved', { amount: reserved }) : '',
    open.length === 0 ? '' : t('pool.open', { count: open.length }),
    holdsSats ? small(t('pool.giveHint')) : '',
  ]
  return { embeds: [panel(colour.satchel, lines, { title: t('pool.title') })] }
}

function roleMenu(t: Translator): APISelectMenuComponent {
  const placeholder = t('pool.roleMenu')
  return { type: ComponentType.RoleSelect, custom_id: `${poolRole.verb}:first`, placeholder }
}
