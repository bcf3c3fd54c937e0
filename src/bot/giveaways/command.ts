import { inlineCode, messageLink, time } from 'discord.js'
import { type DrawProof, faultsOfDraw, strengthOfDraw } from '../../lib/proofs/draw-proof.ts'
import { type GiveawayView, type Tipping, TippingRefusal } from '../../tipping/tipping.ts'
import { suggestOwnAmounts } from '../amounts/suggestions.ts'
import { parseMessageRef } from '../cards/delivery.ts'
import type { Asking, Call, Command, MemberContext, Options, Suggestion, Typing } from '../discord/command.ts'
import { colour, panel, relative } from '../discord/panel.ts'
import { quotable } from '../discord/quotable.ts'
import type { Translator } from '../i18n/translator.ts'
import { FROM_POOL, poolToPay } from '../spending/from-pool.ts'
import { confirmationOutcome, giveawayConfirm } from '../tips/buttons.ts'
import { rerollQuestion } from './reroll-button.ts'

const MAX_SUGGESTED = 25

const startOptions = {
  prize: { kind: 'text', required: true, longest: 40, suggest: suggestOwnAmounts },
  winners: { kind: 'whole', required: true, smallest: 1, largest: 50 },
  duration: { kind: 'text', required: true, longest: 40, suggest: suggestDurations },
  role: { kind: 'role' },
  'min-age': { kind: 'whole', smallest: 1, largest: 3650 },
  ...FROM_POOL,
} as const satisfies Options

export const giveawayStart = {
  name: 'giveaway start',
  answer: 'public',
  where: 'server',
  announces: true,
  dryRun: true,
  options: startOptions,
  async run({ member, guild, caller, origin, options, tipping, t }: Call<typeof startOptions>) {
    const { prize, winners, duration, role, 'min-age': minAgeDays } = options
    const pool = await poolToPay({ guild, caller }, options)
    const command = {
      ...{ member, prize, winners, duration, minAgeDays, origin },
      // Everybody has the role that bears the server's own id.
      role: role?.id === guild ? undefined : role?.id,
      accountSince: caller.accountSince,
    }
    if (pool !== undefined) return { card: (await tipping.giveaways.startFromPool({ ...command, pool })).card }
    const given = await tipping.giveaways.ask(command)
    return 'asked' in given ? confirmationOutcome(given, t, giveawayConfirm.verb) : { card: given.card }
  },
} satisfies Command<typeof startOptions>

/** Who looks for a giveaway. */
interface Looking extends Pick<Asking, 'member'>, Pick<MemberContext, 'sees'> {
  readonly moderator: boolean
}

const lookingOf = async ({ member, caller }: Pick<Asking, 'member' | 'caller'>): Promise<Looking> => ({
  ...{ member, sees: caller.sees, moderator: await caller.moderates() },
})

function which(isMeant: (giveaway: GiveawayView, looking: Looking) => boolean) {
  return {
    giveaway: { kind: 'text', required: true, suggest: (typing: Typing) => suggest(typing, isMeant) },
  } as const satisfies Options
}

const isMine = ({ starter }: GiveawayView, { member, moderator }: Looking) => starter === member || moderator
const openOptions = which((giveaway, looking) => giveaway.state === 'open' && isMine(giveaway, looking))
const ownOptions = which(({ state, starter }, { member }) => state === 'open' && starter === member)

export const giveawayEnd = {
  name: 'giveaway end',
  answer: 'private',
  where: 'server',
  options: ownOptions,
  async run(call: Call<typeof ownOptions>) {
    const { entrants, endsAt } = await call.tipping.giveaways.end(await decision(call, call.options.giveaway))
    return { say: { content: call.t('giveaway.endingByYou', { entrants, until: relative(endsAt) }) } }
  },
} satisfies Command<typeof ownOptions>

export const giveawayCancel = {
  name: 'giveaway cancel',
  answer: 'private',
  where: 'server',
  options: openOptions,
  async run(call: Call<typeof openOptions>) {
    const { returned } = await call.tipping.giveaways.cancel(await decision(call, call.options.giveaway))
    return { say: { content: call.t('giveaway.cancelledByYou', { amount: returned }) } }
  },
} satisfies Command<typeof openOptions>

const drawnOptions = which(({ state, starter }, { member }) => state === 'drawn' && starter === member)

export const giveawayReroll = {
  name: 'giveaway reroll',
  answer: 'private',
  where: 'server',
  announces: true,
  options: drawnOptions,
  async run(call: Call<typeof drawnOptions>) {
    const { origin, caller, options, tipping } = call
    const command = { ...(await decision(call, options.giveaway)), accountSince: caller.accountSince, origin }
    // It is said what it costs before it costs it; what it would be refused for is said at once.
    await tipping.dryRun((api) => api.giveaways.reroll(command))
    return { say: await rerollQuestion(call, await tipping.giveaways.view(options.giveaway)) }
  },
} satisfies Command<typeof drawnOptions>

const verifiableOptions = which(mayRead)

/** What was given away where a member does not look is told to nobody but its starter and moderators. */
function mayRead(giveaway: GiveawayView, { member, moderator, sees }: Looking): boolean {
  return giveaway.starter === member || moderator || sees(giveaway.channel)
}

export const giveawayVerify = {
  name: 'giveaway verify',
  answer: 'private',
  where: 'server',
  options: verifiableOptions,
  async run(call: Call<typeof verifiableOptions>) {
    const { guild, options, tipping, t } = call
    const { giveaway, published, proof } = await tipping.giveaways.proof({ giveaway: options.giveaway, guild })
    if (!mayRead(giveaway, await lookingOf(call))) throw new TippingRefusal('giveaway-not-found', {})
    const title = t('giveaway.verify.title')
    const { commitment, entrantsHash } = giveaway
    const links = await Promise.all([
      publishedLine(tipping, giveaway, published.commitment, t('giveaway.verify.commitment')),
      publishedLine(tipping, giveaway, published.entrants, t('giveaway.verify.entrants')),
    ])
    const hashes = [
      t('giveaway.commitment', { hash: inlineCode(commitment) }),
      entrantsHash === undefined ? '' : t('giveaway.entrantsHash', { hash: inlineCode(entrantsHash) }),
    ]
    if (proof === undefined) {
      const text = t(`giveaway.verify.${giveaway.state === 'cancelled' ? 'cancelled' : 'notYet'}`)
      return { say: { embeds: [panel(colour.satchel, [text, ...links, ...hashes], { title })] } }
    }
    const faults = faultsOfDraw(proof)
    const verdict =
      faults.length === 0
        ? t('giveaway.verify.holds', { count: giveaway.entrants })
        : t('giveaway.verify.broken', { faults: quotable(faults.join('; '), 1_000) })
    const lines = [verdict, strengthLine(proof, t), ...links, ...hashes]
    const file = `giveaway-${giveaway.id}.json`
    const footer = t('giveaway.verify.offline', { file })
    const text = `${JSON.stringify(proof, undefined, 2)}\n`
    return {
      say: {
        embeds: [panel(faults.length === 0 ? colour.done : colour.refused, lines, { title, footer })],
        files: [{ name: file, text, contentType: 'application/json', alt: t('giveaway.verify.alt') }],
      },
    }
  },
} satisfies Command<typeof verifiableOptions>

/** Who could have known the outcome beforehand, of a proof that holds. */
function strengthLine(proof: DrawProof, t: Translator): string {
  const strength = strengthOfDraw(proof)
  if (strength.kind === 'seed-only') return t('giveaway.verify.seedOnly')
  const facts = { round: strength.round, at: time(strength.at, 'f') }
  if (strength.kind === 'beacon-missed') return t('giveaway.verify.beaconMissed', facts)
  const inTime = (strength.hashLeadMs ?? 0) > 0
  return t(inTime ? 'giveaway.verify.beacon' : 'giveaway.verify.beaconLateHash', facts)
}

async function decision({ member, caller, guild }: Asking, giveaway: string) {
  return { giveaway, member, moderator: await caller.moderates(), guild }
}

/** Where something was published, to be compared with the proof. */
async function publishedLine(
  tipping: Tipping,
  { guild }: GiveawayView,
  card: string | undefined,
  text: string,
): Promise<string> {
  const place = parseMessageRef(card === undefined ? undefined : (await tipping.cards.get(card))?.message)
  return place === undefined || guild === null ? '' : `[${text}](${messageLink(place.channel, place.message, guild)})`
}

const DURATIONS = [
  ['10m', 10, 'minute'],
  ['30m', 30, 'minute'],
  ['1h', 1, 'hour'],
  ['6h', 6, 'hour'],
  ['1d', 1, 'day'],
  ['3d', 3, 'day'],
  ['7d', 7, 'day'],
] as const

async function suggestDurations({ typed, t }: Typing): Promise<Suggestion[]> {
  return DURATIONS.filter(([value]) => value.startsWith(typed.trim().toLowerCase())).map(([value, count, unit]) => ({
    name: t.duration(count, unit),
    value,
  }))
}

async function suggest(
  typing: Typing,
  isMeant: (giveaway: GiveawayView, looking: Looking) => boolean,
): Promise<Suggestion[]> {
  const giveaways = await typing.tipping.giveaways.list({ guild: typing.guild, limit: 100 })
  const looking = await lookingOf(typing)
  const typed = typing.typed.trim().toLowerCase()
  return giveaways
    .filter((giveaway) => isMeant(giveaway, looking))
    .map((giveaway) => ({ name: nameOf(giveaway, typing.t), value: giveaway.id }))
    .filter(({ name, value }) => name.toLowerCase().includes(typed) || value === typed)
    .slice(0, MAX_SUGGESTED)
}

function nameOf({ prize, winners, state, entrants, endsAt, endedAt }: GiveawayView, t: Translator): string {
  return t('giveaway.name', {
    prize,
    winners,
    count: entrants,
    state: t(`giveaway.states.${state}`),
    when: t.moment(endedAt ?? endsAt),
  })
}
