import { floorToSat } from '../../lib/money/amount.ts'
import { PERIODS } from '../../tipping/tipping.ts'
import { suggestAmounts, suggestOwnAmounts } from '../amounts/suggestions.ts'
import { poolGiftOutcome } from '../confirmations/question.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Call, Command, Options } from '../interactions/command.ts'
import { serverOf, serverOfManager } from '../interactions/in-server.ts'
import type { Message } from '../messages/message.ts'
import { colour, panel } from '../messages/panel.ts'
import { drawnTitle } from '../pictures/titles.ts'
import { CommandRefusal } from '../refusals/command-refusal.ts'
import { poolCsv } from './csv.ts'
import { sayPool } from './guide.ts'
import { poolDays, poolPicture } from './history-picture.ts'
import { readMonth, type Statement, statementOf, statementPdf } from './statement.ts'

const AMOUNT = { kind: 'text', required: true, longest: 40, suggest: suggestAmounts } as const
const HISTORY_DAYS = 30
const DAY_MS = 24 * 3_600_000

const forModerators = { answer: 'private', where: 'server', moderators: true } as const

const fundOptions = {
  amount: AMOUNT,
  from: { kind: 'text', choices: ['wallet', 'balance'] },
} as const satisfies Options

export const poolFund = {
  name: 'pool fund',
  ...forModerators,
  options: fundOptions,
  async run({ member, origin, tipping, t, options: { amount, from }, ...asking }: Call<typeof fundOptions>) {
    const command = { guild: serverOf(asking), member, amount, origin }
    if (from !== 'balance') return { card: (await tipping.pools.fund(command)).card }
    return poolGiftOutcome(await tipping.pools.ask(command), t)
  },
} satisfies Command<typeof fundOptions>

const fundraiserOptions = { amount: AMOUNT, goal: AMOUNT } as const satisfies Options

export const poolFundraiser = {
  name: 'pool fundraiser',
  ...forModerators,
  answer: 'public',
  announces: true,
  dryRun: true,
  options: fundraiserOptions,
  async run({ member, origin, tipping, options: { amount, goal }, ...asking }: Call<typeof fundraiserOptions>) {
    const { card } = await tipping.pools.fundraise({ guild: serverOf(asking), member, amount, goal, origin })
    return { card }
  },
} satisfies Command<typeof fundraiserOptions>

/** Shows the pool to any member. Only moderators also see who may spend how much, and how to fill the pool. */
export const poolBalance = {
  name: 'pool balance',
  answer: 'private',
  where: 'server',
  options: {},
  async run(call: Call) {
    return { say: await sayPool(call, serverOf(call)) }
  },
} satisfies Command

const giveOptions = { amount: { ...AMOUNT, suggest: suggestOwnAmounts } } as const satisfies Options

/** Gives sats to the pool from the balance of the member who uses the command. */
export const poolGive = {
  name: 'pool give',
  answer: 'private',
  where: 'server',
  options: giveOptions,
  async run({ member, origin, tipping, t, options: { amount }, ...asking }: Call<typeof giveOptions>) {
    return poolGiftOutcome(await tipping.pools.ask({ guild: serverOf(asking), member, amount, origin }), t)
  },
} satisfies Command<typeof giveOptions>

const budgetOptions = {
  // Such a role's budget can be removed.
  role: { kind: 'role', required: true, ofBots: true },
  amount: AMOUNT,
  period: { kind: 'text', required: true, choices: PERIODS },
} as const satisfies Options

export const poolBudget = {
  name: 'pool budget',
  ...forModerators,
  options: budgetOptions,
  async run(call: Call<typeof budgetOptions>) {
    const { member, tipping, options } = call
    // People who may spend do not decide how much.
    const guild = serverOfManager(call)
    const { role, amount, period } = options
    if (role.ofBot && amount.trim() !== '0') throw new CommandRefusal('commandRefusals.role-of-bot')
    await tipping.pools.budget({ guild, member, role: role.id, amount, period })
    return { say: await sayPool(call, guild) }
  },
} satisfies Command<typeof budgetOptions>

export const poolHistory = {
  name: 'pool history',
  ...forModerators,
  options: {},
  async run({ tipping, t, asked, ...asking }: Call) {
    const guild = serverOf(asking)
    const since = new Date(asked.getTime() - HISTORY_DAYS * DAY_MS)
    const [{ available }, lines] = await Promise.all([tipping.pools.view(guild), tipping.pools.history(guild, since)])
    const days = poolDays(lines, available, asked, HISTORY_DAYS)
    const sum = (pick: 'in' | 'returned' | 'out') => days.reduce((all, day) => all + day[pick], 0n)
    const moved = { in: sum('in'), returned: sum('returned'), out: -sum('out') }
    const facts = { available: floorToSat(available), ...moved, count: HISTORY_DAYS }
    const titles = {
      balance: drawnTitle('pool.picture.balance', t, tipping),
      flow: drawnTitle('pool.picture.flow', t, tipping),
    }
    const png = await poolPicture(days, titles, t)
    const picture = { name: 'pool.png', png, alt: t('pool.picture.alt', facts) }
    const text = t('pool.historyText', facts)
    const title = t('pool.historyTitle')
    return { say: { embeds: [panel(colour.satchel, text, { title, picture: picture.name })], pictures: [picture] } }
  },
} satisfies Command

const exportOptions = { month: { kind: 'text', longest: 20 } } as const satisfies Options

export const poolExport = {
  name: 'pool export',
  ...forModerators,
  options: exportOptions,
  async run({ member, tipping, t, asked, options: { month: typed }, ...asking }: Call<typeof exportOptions>) {
    const month = typed === undefined ? undefined : readMonth(typed)
    if (typed !== undefined && month === undefined) throw new CommandRefusal('commandRefusals.month-malformed')
    const lines = await tipping.pools.export({ guild: serverOf(asking), member })
    if (month !== undefined) return { say: monthsMessage(statementOf(lines, month), t) }
    const file = {
      name: `pool-${asked.toISOString().slice(0, 10)}.csv`,
      text: poolCsv(lines),
      contentType: 'text/csv',
      alt: t('pool.exportAlt'),
    }
    return { say: { content: t('pool.exported', { count: lines.length }), files: [file] } }
  },
} satisfies Command<typeof exportOptions>

/** Builds the message with a month's statement as a PDF file, and the month's moves as a CSV file. */
function monthsMessage(statement: Statement, t: Translator): Message {
  const { month, lines } = statement
  const [name, pdf] = [`pool-${month}`, 'application/pdf']
  const files = [
    { name: `${name}.pdf`, text: statementPdf(statement), contentType: pdf, alt: t('pool.statementAlt', { month }) },
    { name: `${name}.csv`, text: poolCsv(lines), contentType: 'text/csv', alt: t('pool.exportAlt') },
  ]
  return { content: t('pool.statement', { month }), files }
}
