import { suggestOwnAmounts } from '../amounts/suggestions.ts'
import type { Asking, Call, Command, Options } from '../interactions/command.ts'
import { moment } from '../messages/panel.ts'
import { FROM_POOL } from '../spending/from-pool.ts'
import { formOfGiveaway } from './form.ts'
import { rerollQuestion } from './reroll-button.ts'
import { startGiveaway } from './start.ts'
import { suggest, suggestDrawn, suggestDurations, suggestStarted } from './suggestions.ts'
import { mayRead, verify } from './verify.ts'

const startOptions = {
  prize: { kind: 'text', longest: 40, suggest: suggestOwnAmounts },
  winners: { kind: 'whole', smallest: 1, largest: 50 },
  duration: { kind: 'text', longest: 40, suggest: suggestDurations },
  role: { kind: 'role' },
  'role-2': { kind: 'role' },
  'role-3': { kind: 'role' },
  roles: { kind: 'text', choices: ['any', 'all'] },
  entries: { kind: 'whole', smallest: 2, largest: 100_000 },
  'min-age': { kind: 'whole', smallest: 1, largest: 3650 },
  // Earlier activity is not stored.
  'active-days': { kind: 'whole', smallest: 1, largest: 30 },
  'claim-time': { kind: 'text', longest: 10, suggest: suggestDurations },
  'bonus-role': { kind: 'role' },
  'bonus-chances': { kind: 'whole', smallest: 2, largest: 10 },
  ...FROM_POOL,
} as const satisfies Options

export const giveawayStart = {
  name: 'giveaway start',
  answer: 'public',
  where: 'server',
  announces: true,
  dryRun: true,
  options: startOptions,
  /**
   * Returns the form, filled in with the command's values, if the prize, the number of winners or the duration is
   * missing.
   */
  form({ options: given, t }) {
    const { prize, winners, duration } = given
    if (prize !== undefined && winners !== undefined && duration !== undefined) return undefined
    return formOfGiveaway(givenWith(given), t)
  },
  run: (call: Call<typeof startOptions>) => {
    const { prize = '', winners = 1, duration = '' } = call.options
    return startGiveaway(call, { ...givenWith(call.options), prize, winners, duration })
  },
} satisfies Command<typeof startOptions>

function givenWith({ role, roles, entries: maxEntries, ...given }: Call<typeof startOptions>['options']) {
  const {
    'min-age': minAgeDays,
    'active-days': activeDays,
    'claim-time': claimTime,
    'bonus-role': bonus,
    'bonus-chances': bonusChances,
    ...rest
  } = given
  const { 'role-2': second, 'role-3': third, ...others } = rest
  const moreRoles = [second, third].flatMap((each) => each?.id ?? [])
  const required = { role: role?.id, moreRoles, needsAll: roles === 'all', maxEntries }
  return { ...others, ...required, minAgeDays, activeDays, claimTime, bonusRole: bonus?.id, bonusChances }
}

function which(suggest: Suggest) {
  return { giveaway: { kind: 'text', required: true, suggest } } as const satisfies Options
}

type Suggest = ReturnType<typeof suggestStarted>

const ownOptions = which(suggestStarted('open'))

export const giveawayEnd = {
  name: 'giveaway end',
  answer: 'private',
  where: 'server',
  options: ownOptions,
  async run(call: Call<typeof ownOptions>) {
    const { entrants, endsAt } = await call.tipping.giveaways.end(await decision(call, call.options.giveaway))
    return { say: { content: call.t('giveaway.endingByYou', { entrants, until: moment(endsAt) }) } }
  },
} satisfies Command<typeof ownOptions>

const drawnOptions = which(suggestDrawn)

export const giveawayReroll = {
  name: 'giveaway reroll',
  answer: 'private',
  where: 'server',
  announces: true,
  options: drawnOptions,
  async run(call: Call<typeof drawnOptions>) {
    const { origin, caller, options, tipping } = call
    const decided = await decision(call, options.giveaway)
    if (await mustClaim(call)) {
      await tipping.giveaways.redraw(decided)
      return { say: { content: call.t('giveaway.redrawnByYou') } }
    }
    const command = { ...decided, accountSince: caller.accountSince, origin }
    // The cost is shown first. A certain refusal is shown at once.
    await tipping.dryRun((api) => api.giveaways.reroll(command))
    return { say: await rerollQuestion(call, await tipping.giveaways.view(options.giveaway)) }
  },
} satisfies Command<typeof drawnOptions>

/**
 * Whether a drawn giveaway has prizes to be claimed and not all are settled. Drawing such prizes again has no further
 * cost.
 */
async function mustClaim({ tipping, guild, options }: Call<typeof drawnOptions>): Promise<boolean> {
  const { giveaway } = await tipping.giveaways.entrants({ giveaway: options.giveaway, guild, page: 0 })
  return giveaway.state === 'drawn' && giveaway.claim !== undefined && giveaway.claim.settledAt === undefined
}

const verifiableOptions = which((typing) => suggest(typing, mayRead))

export const giveawayVerify = {
  name: 'giveaway verify',
  answer: 'private',
  where: 'server',
  options: verifiableOptions,
  run: (call: Call<typeof verifiableOptions>) => verify(call, call.options.giveaway),
} satisfies Command<typeof verifiableOptions>

async function decision({ member, caller, guild }: Asking, giveaway: string) {
  return { giveaway, member, moderator: await caller.moderates(), guild }
}
