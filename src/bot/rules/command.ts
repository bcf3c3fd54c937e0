import { roleMention } from 'discord.js'
import { MAX_REWARD_REASON, RECIPE_NAMES, type RuleView, unusedTerm } from '../../tipping/tipping.ts'
import { suggestAmounts } from '../amounts/suggestions.ts'
import { namingReactions } from '../emoji/own-emoji.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Call, Command, Options, Suggestion, Typing } from '../interactions/command.ts'
import { serverOf } from '../interactions/in-server.ts'
import { colour, fitting, mention, panel } from '../messages/panel.ts'
import { quotable } from '../messages/quotable.ts'
import { optionUnused } from '../refusals/option-unused.ts'
import { shortfalls } from '../spending/shortfalls.ts'

const forModerators = { answer: 'private', where: 'server', moderators: true } as const
const AMOUNT = { kind: 'text', required: true, longest: 40, suggest: suggestAmounts } as const

const createOptions = {
  recipe: { kind: 'text', required: true, choices: RECIPE_NAMES },
  amount: AMOUNT,
  budget: AMOUNT,
  role: { kind: 'role' },
  days: { kind: 'whole', smallest: 1, largest: 3_650 },
  emoji: { kind: 'text', longest: 60 },
  reason: { kind: 'text', longest: MAX_REWARD_REASON },
  trial: { kind: 'yes-no' },
} as const satisfies Options

export const ruleCreate = {
  name: 'rule create',
  ...forModerators,
  options: createOptions,
  async run({ options, member, origin, tipping, t, toAll, ...asking }: Call<typeof createOptions>) {
    const { recipe, role, trial = false, reason = namingReactions(recipeName({ recipe }, toAll)), ...terms } = options
    const unused = unusedTerm(recipe, options)
    if (unused !== undefined) throw optionUnused(`commands.rule.verbs.create.options.${unused}.name`, t)
    const guild = serverOf(asking)
    const { interaction } = origin
    const command = { guild, member, recipe, ...terms, role: role?.id, reason, trial, interaction }
    const rule = await tipping.rules.create(command)
    const missing = trial ? [] : await shortfalls({ tipping, t, ...asking }, rule.amount)
    const lines = [t(`rule.made.${trial ? 'trial' : 'on'}`), ...linesOf(rule, t), ...missing]
    return { say: { embeds: [panel(missing.length === 0 ? colour.done : colour.inFlight, lines)] } }
  },
} satisfies Command<typeof createOptions>

export const ruleList = {
  name: 'rule list',
  ...forModerators,
  options: {},
  async run({ tipping, t, ...asking }: Call) {
    const rules = await tipping.rules.list(serverOf(asking))
    const texts = rules.map((rule) => linesOf(rule, t).join('\n'))
    const body = texts.length === 0 ? t('rule.none') : fitting(texts, '\n\n').join('\n\n')
    return { say: { embeds: [panel(colour.satchel, body, { title: t('rule.title') })] } }
  },
} satisfies Command

const stopOptions = which(({ state }) => state !== 'stopped')
const startOptions = which(({ state }) => state !== 'on')

export const ruleStop = {
  name: 'rule stop',
  ...forModerators,
  options: stopOptions,
  async run({ options, member, tipping, t, ...asking }: Call<typeof stopOptions>) {
    const rule = await tipping.rules.stop({ rule: options.rule, guild: serverOf(asking), member })
    return { say: { embeds: [panel(colour.over, linesOf(rule, t))] } }
  },
} satisfies Command<typeof stopOptions>

export const ruleStart = {
  name: 'rule start',
  ...forModerators,
  options: startOptions,
  async run({ options, member, tipping, t, ...asking }: Call<typeof startOptions>) {
    const rule = await tipping.rules.start({ rule: options.rule, guild: serverOf(asking), member })
    const missing = await shortfalls({ tipping, t, ...asking }, rule.amount)
    return {
      say: { embeds: [panel(missing.length === 0 ? colour.done : colour.inFlight, [...linesOf(rule, t), ...missing])] },
    }
  },
} satisfies Command<typeof startOptions>

function which(isMeant: (rule: RuleView) => boolean) {
  return {
    rule: { kind: 'text', required: true, suggest: (typing: Typing) => suggest(typing, isMeant) },
  } as const satisfies Options
}

async function suggest({ guild, caller, tipping, t, typed }: Typing, isMeant: (rule: RuleView) => boolean) {
  if (guild === null || !(await caller.moderates())) return []
  const rules = (await tipping.rules.list(guild)).filter(isMeant)
  return rules
    .map((rule): Suggestion => {
      const recipe = recipeName(rule, t)
      // A rule without a reason of its own has its recipe's name as the reason.
      const ownReason = namingReactions(rule.reason) === namingReactions(recipe) ? [] : [rule.reason]
      return { name: [recipe, t.amount(rule.amount), ...ownReason].join(' · '), value: rule.id }
    })
    .filter(({ name }) => name.toLowerCase().includes(typed.trim().toLowerCase()))
}

function recipeName({ recipe }: Pick<RuleView, 'recipe'>, t: Translator): string {
  return t(`commands.rule.verbs.create.options.recipe.choices.${recipe}`)
}

/** Describes a rule: its occasion, budget and state. */
function linesOf(rule: RuleView, t: Translator): string[] {
  const { amount, budget, spent, role, emoji, days, reason, owner, state, stoppedBy, trouble, given: rewards } = rule
  const terms = [
    role === undefined ? '' : roleMention(role),
    namingReactions(emoji ?? ''),
    days === undefined ? '' : t.duration(days, 'day'),
  ]
  const occasion = namingReactions(recipeName(rule, t))
  const head = [`**${occasion}**`, ...terms.filter((term) => term !== '')].join(' · ')
  const stopped = stoppedBy === undefined ? 'rule.stoppedOwner' : 'rule.stopped'
  const who = mention(owner)
  return [
    head,
    namingReactions(reason) === occasion ? '' : `> ${quotable(reason, MAX_REWARD_REASON)}`,
    t('rule.terms', { amount, budget, spent, who }),
    state === 'trial' ? t('rule.trial', { rewards, total: amount * BigInt(rewards) }) : '',
    state === 'on' ? t('rule.given', { rewards }) : '',
    state === 'stopped' ? t(stopped, { who: stoppedBy === undefined ? who : mention(stoppedBy), rewards }) : '',
    state === 'on' && trouble !== undefined ? troubleLine(trouble, t) : '',
  ].filter((line) => line !== '')
}

/** Tells a moderator how to repair a rule that could not pay. */
function troubleLine(refusal: string, t: Translator): string {
  if (refusal === 'server-wallet-restored') return `⚠️ ${t('refusals.server-wallet-restored')}`
  if (refusal === 'pool-insufficient') return t('rule.trouble.pool')
  if (refusal === 'rule-budget-spent') return t('rule.trouble.spent')
  return t(refusal.startsWith('budget-') ? 'rule.trouble.owner' : 'rule.trouble.other')
}
