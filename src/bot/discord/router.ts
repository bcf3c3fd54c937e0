import { type Interaction, type InteractionDeferReplyOptions, MessageFlags } from 'discord.js'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import { TippingRefusal } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import { type Acknowledgements, createAcknowledgements } from './acknowledgements.ts'
import type { AnswerMode, Asking } from './command.ts'
import { CommandRefusal } from './command-refusal.ts'
import { explanation } from './explanation.ts'
import { CLAIM_VERB, claimIdOf, claimWaiting, LINK_COMMAND } from './first-use.ts'
import { createForms } from './forms.ts'
import { guildOf } from './guest.ts'
import { type Answerable, createHandlers, type Handler } from './handlers.ts'
import { localeOf, memberContextOf } from './member-context.ts'
import type { Message } from './message.ts'
import { mention, refusal } from './panel.ts'
import type { Readers } from './people.ts'
import { type ReplyToken, replyToken, writeReplyToken } from './reply-token.ts'
import type { RouterOptions } from './router-options.ts'
import { createSuggestions } from './suggestions.ts'

/** The one way in for everything that people do, and the one place where what goes wrong is caught. */
export interface Router {
  /** Never throws. */
  handle(interaction: Interaction): Promise<void>
  /** Resolves when every command that has begun has been answered. */
  settled(): Promise<void>
}

export function createRouter(options: RouterOptions): Router {
  const handlerOf = createHandlers(options)
  const forms = createForms(options)
  const suggest = createSuggestions(options)
  const running = new Map<string, Promise<void>>()
  const acknowledgements = createAcknowledgements(options.clock)

  function begin(interaction: Interaction): Promise<void> | undefined {
    if (interaction.isAutocomplete()) return suggest(interaction)
    if (interaction.isContextMenuCommand()) return forms.ofMenu(interaction)
    if (!interaction.isChatInputCommand() && !interaction.isMessageComponent() && !interaction.isModalSubmit()) {
      return undefined
    }
    const form = interaction.isModalSubmit() ? undefined : forms.of(interaction)
    if (form !== undefined) return form
    return answer(interaction, handlerOf(interaction), acknowledgements, options)
  }

  return {
    async handle(interaction) {
      // Discord may deliver the same interaction again when a connection is resumed.
      if (running.has(interaction.id)) return
      const answering = attempt(() => begin(interaction), options.log.child({ interaction: interaction.id }))
      running.set(interaction.id, answering)
      await answering.finally(() => running.delete(interaction.id))
    },
    async settled() {
      await Promise.all(running.values())
    },
  }
}

/** Whatever an interaction causes ends here: one that Discord wrote in another way than it says it does must not end the process. */
async function attempt(begin: () => Promise<void> | undefined, log: Logger): Promise<void> {
  try {
    await begin()
  } catch (error) {
    log.error({ err: error }, 'an interaction could not be read')
  }
}

/** The whole life of an answer. The acknowledgement comes before anything that waits, and nothing moves without it. */
async function answer(
  interaction: Answerable,
  finding: Promise<Handler>,
  acknowledgements: Acknowledgements,
  options: RouterOptions,
): Promise<void> {
  const { board, clock } = options
  const handler = await finding
  const log = options.log.child({ interaction: interaction.id, command: handler.name })
  const reply = replyToken(interaction.applicationId, interaction.token, clock.now())
  const named = new Set<string>()
  const asking = askingOf(interaction, { reply, log, named }, options)
  const startedMs = clock.monotonic()
  const waits = handler.name !== CLAIM_VERB && (await hasUnclaimed(asking))
  // A member with waiting sats has them claimed first.
  const claims = waits ? asking.member : undefined
  const thought = handler.dryRun ? acknowledgements.think(() => foresee(handler, asking, clock, claims)) : undefined
  const foreseen: Foreseen = (await thought) ?? { answer: handler.answer }
  const notify = foreseen.answer === 'public' ? [...named] : []
  const releases = [interaction.id, claimIdOf(asking.origin)].map((id) => board.reserve(id))
  const release = () => {
    for (const each of releases) each()
  }
  try {
    await acknowledgements.send(() => acknowledge(interaction, foreseen.answer, notify))
  } catch (error) {
    log.warn({ err: error }, 'not acknowledged, so nothing was done')
    return release()
  }
  await acknowledgements.calm()
  const linksFirst = handler.name === LINK_COMMAND
  let claimed: string | undefined
  try {
    if (waits && !linksFirst) claimed = await claimWaiting(asking)
    if (foreseen.refused !== undefined) throw foreseen.refused
    const outcome = await handler.run(asking)
    if ('card' in outcome) await board.show(outcome.card, notify.length > 0)
    else if ('say' in outcome) await options.messenger.answer(reply, outcome.say, readersOf(foreseen.answer))
    else await sayPrivately(reply, foreseen.answer, outcome.whisper, options)
  } catch (error) {
    await explain(error, { reply, answer: foreseen.answer, t: asking.t, log }, options)
  }
  try {
    if (waits && linksFirst) claimed = await claimWaiting(asking)
    if (claimed !== undefined) await board.tell(claimed, reply, asking.t)
    release()
    await board.tellUntold(asking.member, reply, asking.t)
  } catch (error) {
    log.warn({ err: error }, 'what happened before could not be told; the next command will')
    release()
  }
  log.debug({ ms: Math.round(clock.monotonic() - startedMs) }, 'answered')
}

/** A message that is changed keeps its readers, and those with buttons of that kind have one. */
function readersOf(answer: AnswerMode): Readers {
  return answer === 'public' ? 'all' : 'one'
}

/** Nobody waits for their answer because it could not be read what waits for them. */
async function hasUnclaimed({ tipping, member, log }: Asking): Promise<boolean> {
  try {
    return await tipping.claims.hasUnclaimed(member)
  } catch (error) {
    log.warn({ err: error }, 'what waits for a member could not be read')
    return false
  }
}

interface Foreseen {
  readonly answer: AnswerMode
  /** What it would be refused for; then it is not begun. */
  readonly refused?: unknown
}

/** Who is waiting for an acknowledgement waits no longer than this for it to be thought over. */
const FORESIGHT_MS = 500

/**
 * Discord fixes with the acknowledgement who sees the answer. So what all are to see is dry-run first: what would be
 * refused, or asked about first, is private from the start, and leaves no trace among the others.
 */
async function foresee(handler: Handler, asking: Asking, clock: Clock, claims: string | undefined): Promise<Foreseen> {
  const { answer } = handler
  if (answer !== 'public') return { answer }
  const late = Promise.withResolvers<'goes'>()
  const cancel = clock.after(FORESIGHT_MS, () => late.resolve('goes'))
  const attempt = asking.tipping.dryRun((tipping) => handler.run({ ...asking, tipping }), claims)
  // Late presses are not listened to.
  attempt.catch(() => undefined)
  try {
    return { answer: (await Promise.race([attempt, late.promise])) === 'asks' ? 'private' : answer }
  } catch (error) {
    const isForeseen = error instanceof TippingRefusal || error instanceof CommandRefusal
    return isForeseen ? { answer: 'private', refused: error } : { answer }
  } finally {
    cancel()
  }
}

/** Mentions that fit one message with room to spare. */
const MAX_NOTIFIED = 80

function acknowledge(interaction: Answerable, answer: AnswerMode, notify: readonly string[]): Promise<unknown> {
  if (answer === 'public' && notify.length > 0) {
    const users = notify.slice(0, MAX_NOTIFIED)
    const content = `⚡ ${mention(interaction.user.id)} → ${users.map(mention).join(' ')} …`
    return interaction.reply({ content, allowedMentions: { users } })
  }
  if (answer === 'update' && !interaction.isChatInputCommand()) return interaction.deferUpdate()
  const defer: InteractionDeferReplyOptions = answer === 'private' ? { flags: MessageFlags.Ephemeral } : {}
  return interaction.deferReply(defer)
}

interface AskedNow {
  readonly reply: ReplyToken
  readonly log: Logger
  /** Those whom the answer will name, as far as it is known. */
  readonly named: Set<string>
}

function askingOf(interaction: Answerable, { reply, log, named }: AskedNow, options: RouterOptions): Asking {
  const { user, member } = interaction
  const guild = guildOf(interaction)
  const locale = localeOf(interaction, options.tipping)
  // Of a server that this process knows nothing of, Discord's own words are all there is.
  const nick = member === null ? undefined : 'displayName' in member ? member.displayName : (member.nick ?? undefined)
  const channel = interaction.channelId ?? ''
  return {
    member: user.id,
    memberName: nick ?? user.displayName,
    userName: user.username,
    caller: memberContextOf(interaction, options.tipping),
    guild,
    origin: { interaction: interaction.id, guild, channel, reply: writeReplyToken(reply), locale },
    asked: new Date(options.clock.now()),
    t: options.translatorFor(locale),
    inLanguageOf: (id) => options.translatorFor(options.tipping.preferences.languageOf(id) ?? interaction.locale),
    tipping: options.tipping,
    links: options.links,
    members: options.members,
    log,
    willName: (people) => {
      for (const person of people) named.add(person)
    },
  }
}

interface Explaining {
  readonly reply: ReplyToken
  readonly answer: AnswerMode
  readonly t: Translator
  readonly log: Logger
}

/** The one catch: what went wrong is told privately. */
async function explain(error: unknown, { reply, answer, t, log }: Explaining, options: RouterOptions) {
  try {
    await sayPrivately(reply, answer, refusal(explanation(error, t, log)), options)
  } catch (cause) {
    log.warn({ err: cause }, 'the answer could not be given')
  }
}

/**
 * Discord fixes with the acknowledgement who sees the answer, so a public one is taken back and a private one given.
 */
async function sayPrivately(reply: ReplyToken, answer: AnswerMode, message: Message, { messenger }: RouterOptions) {
  if (answer === 'private') {
    await messenger.answer(reply, message, 'one')
    return
  }
  // A message that was to be changed stays as it was.
  if (answer === 'public') await messenger.deleteAnswer(reply)
  await messenger.followUp(reply, message, { private: true })
}
