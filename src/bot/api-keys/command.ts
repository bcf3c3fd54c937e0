import { channelMention } from 'discord.js'
import {
  type ApiKeyScope,
  type ApiKeyView,
  MAX_API_KEY_DAYS,
  MAX_API_KEY_NAME,
  MAX_WEBHOOK_URL,
} from '../../tipping/tipping.ts'
import { suggestAmounts } from '../amounts/suggestions.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Call, Command, Options, Suggestion, Typing } from '../interactions/command.ts'
import { serverOf } from '../interactions/in-server.ts'
import { colour, fitting, mention, moment, panel, relative } from '../messages/panel.ts'
import { quotable } from '../messages/quotable.ts'
import { optionUnused } from '../refusals/option-unused.ts'
import { shortfalls } from '../spending/shortfalls.ts'

const forModerators = { answer: 'private', where: 'server', moderators: true } as const
const DEFAULT_DAYS = 90

/** The uses of a key, each with the rights that such a key has. */
const USES = {
  rewards: ['rewards', 'members'],
  members: ['members'],
  events: ['events'],
} as const satisfies Record<string, readonly ApiKeyScope[]>
type Use = keyof typeof USES
const USE_NAMES = Object.keys(USES) as readonly Use[]

const createOptions = {
  name: { kind: 'text', required: true, longest: MAX_API_KEY_NAME },
  use: { kind: 'text', required: true, choices: USE_NAMES },
  budget: { kind: 'text', longest: 40, suggest: suggestAmounts },
  days: { kind: 'whole', smallest: 1, largest: MAX_API_KEY_DAYS },
  url: { kind: 'text', longest: MAX_WEBHOOK_URL },
} as const satisfies Options

export const apiKeyCreate = {
  name: 'api-key create',
  ...forModerators,
  options: createOptions,
  async run({ options, member, origin, tipping, t, links, ...asking }: Call<typeof createOptions>) {
    const { name, use, budget, days = DEFAULT_DAYS, url: webhook } = options
    if (budget !== undefined && use !== 'rewards') {
      throw optionUnused('commands.api-key.verbs.create.options.budget.name', t)
    }
    const { interaction, channel } = origin
    const about = { guild: serverOf(asking), channel, member, name, budget, days, webhook, interaction }
    const { key, secret, signingSecret } = await tipping.apiKeys.create({ ...about, scopes: USES[use as Use] })
    const rewards = key.scopes.includes('rewards')
    const missing = rewards ? await shortfalls({ tipping, t, ...asking }, key.budget) : []
    const overlay = secret !== undefined && use === 'events' ? links.overlay(secret) : undefined
    const lines = [
      ...(secret === undefined ? [t('apiKey.madeBefore')] : [t('apiKey.made'), `\`\`\`\n${secret}\n\`\`\``]),
      ...(signingSecret === undefined ? [] : [t('apiKey.signing'), `\`\`\`\n${signingSecret}\n\`\`\``]),
      ...(overlay === undefined ? [] : [t('apiKey.overlay'), `\`\`\`\n${overlay}\n\`\`\``]),
      ...linesOf(key, t),
      ...(rewards ? [t('apiKey.where', { channel: channelMention(key.channel) })] : []),
      ...missing,
    ]
    return { say: { embeds: [panel(missing.length === 0 ? colour.done : colour.inFlight, lines)] } }
  },
} satisfies Command<typeof createOptions>

export const apiKeyList = {
  name: 'api-key list',
  ...forModerators,
  options: {},
  async run({ tipping, t, ...asking }: Call) {
    const keys = await tipping.apiKeys.list(serverOf(asking))
    const texts = keys.map((key) => linesOf(key, t).join('\n'))
    const body = texts.length === 0 ? t('apiKey.none') : fitting(texts, '\n\n').join('\n\n')
    return { say: { embeds: [panel(colour.satchel, body, { title: t('apiKey.title') })] } }
  },
} satisfies Command

const revokeOptions = { key: { kind: 'text', required: true, suggest } } as const satisfies Options

export const apiKeyRevoke = {
  name: 'api-key revoke',
  ...forModerators,
  options: revokeOptions,
  async run({ options, member, tipping, t, ...asking }: Call<typeof revokeOptions>) {
    const key = await tipping.apiKeys.revoke({ key: options.key, guild: serverOf(asking), member })
    return { say: { embeds: [panel(colour.over, linesOf(key, t))] } }
  },
} satisfies Command<typeof revokeOptions>

async function suggest({ guild, caller, tipping, t, typed }: Typing): Promise<Suggestion[]> {
  if (guild === null || !(await caller.moderates())) return []
  const live = (await tipping.apiKeys.list(guild)).filter(({ state }) => state === 'live')
  return live
    .map(({ id, name, scopes }) => ({ name: `${name} · ${useName(scopes, t)}`, value: id }))
    .filter(({ name }) => name.toLowerCase().includes(typed.trim().toLowerCase()))
}

function useName(scopes: readonly ApiKeyScope[], t: Translator): string {
  const use = USE_NAMES.find((each) => USES[each].join() === scopes.join()) ?? 'rewards'
  return t(`commands.api-key.verbs.create.options.use.choices.${use}`)
}

/** Describes a key: its use, budget, webhook, owner and state. */
function linesOf(key: ApiKeyView, t: Translator): string[] {
  const { name, scopes, budget, spent, owner, state, expiresAt, lastUsedAt, revokedBy } = key
  // A webhook's key works without being used: what the bot sends shows that.
  const unused = key.webhook === undefined ? t('apiKey.unused') : ''
  const used = lastUsedAt === undefined ? unused : t('apiKey.used', { when: relative(lastUsedAt) })
  const stands = {
    live: () => t('apiKey.live', { until: moment(expiresAt) }),
    expired: () => t('apiKey.expired', { when: relative(expiresAt) }),
    revoked: () => t('apiKey.revoked', { who: mention(revokedBy ?? '') }),
  }
  return [
    `**${quotable(name, MAX_API_KEY_NAME)}** · ${useName(scopes, t)}`,
    scopes.includes('rewards') ? t('apiKey.spent', { spent, budget }) : '',
    ...webhookLines(key, t),
    [t('apiKey.by', { who: mention(owner) }), used].filter((fact) => fact !== '').join(' · '),
    stands[state](),
  ].filter((line) => line !== '')
}

/** Describes the receiver of a key's events, and whether the events arrive. */
function webhookLines({ webhook }: ApiKeyView, t: Translator): string[] {
  if (webhook === undefined) return []
  const { url, failingSince, givenUpAt } = webhook
  // The rest of the address may be the receiver's secret.
  const goes = t('apiKey.webhook', { host: new URL(url).host })
  if (givenUpAt !== undefined) return [goes, t('apiKey.givenUp', { when: relative(givenUpAt) })]
  return failingSince === undefined ? [goes] : [goes, t('apiKey.failing', { when: moment(failingSince) })]
}
