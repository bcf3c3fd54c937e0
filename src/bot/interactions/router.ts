import { DiscordAPIError, type Interaction } from 'discord.js'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import { fiatAsked } from '../../lib/money/amount-text.ts'
import { NewestNames } from '../../lib/newest-names.ts'
import { type ForeseenTip, TippingRefusal } from '../../tipping/tipping.ts'
import type { Translator } from '../i18n/translator.ts'
import type { Message } from '../messages/message.ts'
import { mention } from '../messages/panel.ts'
import { CommandRefusal } from '../refusals/command-refusal.ts'
import { following, type ReplyToken, replyToken, writeReplyToken } from '../transport/reply-token.ts'
import { acknowledge } from './acknowledge.ts'
import { type Acknowledgements, createAcknowledgements } from './acknowledgements.ts'
import type { AnswerMode, Asking, Outcome } from './command.ts'
import { refusalOf } from './explanation.ts'
import { CLAIM_VERB, claimIdOf, claimWaiting, LINK_COMMAND } from './first-use.ts'
import { createForms } from './forms.ts'
import { guildOf, isGuest } from './guest.ts'
import { type Answerable, createHandlers, type Handler } from './handlers.ts'
import { localeOf, memberContextOf } from './member-context.ts'
import { holdsConnectionText, refusing } from './posted-connection.ts'
import type { Acknowledged, RouterOptions } from './router-options.ts'
import { createSuggestions } from './suggestions.ts'
import { typedIn } from './typed.ts'

/** The one way in for everything that people do, and the one place where what goes wrong is caught. */
export interface Router {
  /** Never throws. */
  handle(interaction: Interaction): Promise<void>
  /** Resolves when every command that has begun has been answered. */
  settled(): Promise<void>
}

/** Number of latest interactions remembered, should Discord deliver one of them again. */
const MAX_ANSWERED = 5_000

export function createRouter(options: RouterOptions): Router {
  const handlerOf = createHandlers(options)
  const forms = createForms(options)
  const suggest = createSuggestions(options)
  const running = new Map<string, Promise<void>>()
  const answered = new NewestNames<true>(MAX_ANSWERED)
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
      if (running.has(interaction.id) || answered.get(interaction.id)) return
      const answering = attempt(() => begin(interaction), options.log.child({ interaction: interaction.id }))
      running.set(interaction.id, answering)
      await answering.finally(() => running.delete(interaction.id))
      answered.set(interaction.id, true)
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
  const handler = holdsConnectionText(interaction) ? refusing(interaction) : await finding
  const log = options.log.child({ interaction: interaction.id, command: handler.name })
  const reply = replyToken(interaction, clock.now(), isGuest(interaction))
  const named = new Set<string>()
  const asking = askingOf(interaction, { reply, log, named }, options)
  const startedMs = clock.monotonic()
  // A member with waiting sats has them claimed first. In a storm, nobody's acknowledgement waits for that.
  const looking = handler.name === CLAIM_VERB ? Promise.resolve(false) : hasUnclaimed(asking)
  const claims = async () => ((await looking) ? asking.member : undefined)
  const thought = handler.dryRun ? acknowledgements.think(() => foresee(handler, asking, clock, claims)) : undefined
  const foreseen: Foreseen = (await thought) ?? { answer: handler.answer }
  const { first, announcement } = await announce(firstAnswer(foreseen, asking, [...named], options), asking)
  const releases = [interaction.id, claimIdOf(asking.origin)].map((id) => board.reserve(id))
  const release = () => void releases.map((each) => each())
  let acknowledged: Acknowledged = {}
  let hushed: CommandRefusal | undefined
  try {
    acknowledged = await acknowledgements.send(() =>
      acknowledge(interaction, {
        answer: foreseen.answer,
        first: first?.message,
        isWhole: first?.isWhole ?? false,
        repeatable: handler.dryRun === true,
      }),
    )
  } catch (error) {
    if (!(error instanceof CommandRefusal)) {
      log.warn({ err: error }, 'not acknowledged, so nothing was done')
      // A broken connection proves nothing: the answer may be there for all to see, and the note takes it back.
      if (error instanceof DiscordAPIError) await endAnnouncement(announcement, asking)
      return release()
    }
    hushed = error
  }
  const { answer } = foreseen
  await acknowledgements.calm()
  const waits = await looking
  const linksFirst = handler.name === LINK_COMMAND
  let claimed: string | undefined
  try {
    if (waits && !linksFirst) claimed = await claimWaiting(asking)
    const refused = hushed ?? foreseen.refused
    if (refused !== undefined) throw refused
    const outcome = await handler.run(asking)
    if ('card' in outcome) await showCard(outcome, { answer, reply, acknowledged, t: asking.t }, options)
    else if ('say' in outcome) await options.messenger.answer(reply, outcome.say)
    else await sayPrivately(reply, answer, outcome.whisper, options)
    await endAnnouncement(announcement, asking)
  } catch (error) {
    const explaining = { reply, answer, t: asking.t, log, again: handler.again }
    if (await explain(error, explaining, options)) await endAnnouncement(announcement, asking)
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

interface CardAnswer {
  readonly answer: AnswerMode
  readonly reply: ReplyToken
  readonly acknowledged: Acknowledged
  readonly t: Translator
}

/** Where all were to see the answer, a private card is told below it, and the answer is taken back. */
async function showCard(
  { card, isPrivate }: Extract<Outcome, { readonly card: string }>,
  { answer, reply, acknowledged, t }: CardAnswer,
  { board, messenger }: RouterOptions,
): Promise<void> {
  if (!isPrivate || answer !== 'public') return await board.show(card, acknowledged)
  await messenger.deleteAnswer(reply)
  await board.tell(card, reply, t)
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
  /** The refusal that it would meet; then it does not begin. */
  readonly refused?: unknown
  /** The tip that it would be. */
  readonly tip?: ForeseenTip | undefined
}

/** Mentions that fit one message with room to spare. */
const MAX_NOTIFIED = 80

/** Opens a public answer, if its recipients are known: this alone notifies them. */
function firstAnswer(
  { answer, tip }: Foreseen,
  { member, origin }: Asking,
  named: readonly string[],
  { board, people }: RouterOptions,
): Begun | undefined {
  if (answer !== 'public') return undefined
  if (tip !== undefined) {
    const { message, isWhole } = board.foresee(tip, origin)
    const known = people.namedNow(message)
    return { message: known ?? message, isWhole: isWhole && known !== undefined }
  }
  if (named.length === 0) return undefined
  const notifies = named.slice(0, MAX_NOTIFIED)
  const content = `⚡ ${mention(member)} → ${notifies.map(mention).join(' ')} …`
  const message = { content, notifies }
  return { message: people.namedNow(message) ?? message, isWhole: false }
}

interface Begun {
  readonly message: Message
  readonly isWhole: boolean
}

/** An answer that says that something is done is noted before it is given; one that cannot be noted is not given. */
async function announce(begun: Begun | undefined, { tipping, origin, log }: Asking) {
  if (!begun?.isWhole) return { first: begun }
  try {
    return { first: begun, announcement: await tipping.announcements.note(origin) }
  } catch (error) {
    log.warn({ err: error }, 'a first answer could not be noted')
    return { first: undefined }
  }
}

/** Where this fails, the note is found later, with what became of the command. */
async function endAnnouncement(announcement: string | undefined, { tipping, log }: Asking): Promise<void> {
  if (announcement === undefined) return
  try {
    await tipping.announcements.end(announcement)
  } catch (error) {
    log.warn({ err: error }, 'the note of a first answer could not be ended')
  }
}

/** Longest dry run before an acknowledgement. */
const FORESIGHT_MS = 500

/**
 * Discord fixes with the acknowledgement who sees the answer. So what all are to see is dry-run first: what would be
 * refused, or asked about first, is private from the start, and leaves no trace among the others.
 */
async function foresee(
  handler: Handler,
  asking: Asking,
  clock: Clock,
  claims: () => Promise<string | undefined>,
): Promise<Foreseen> {
  const { answer } = handler
  if (answer !== 'public') return { answer }
  const late = Promise.withResolvers<'goes'>()
  const cancel = clock.after(FORESIGHT_MS, () => late.resolve('goes'))
  let tip: ForeseenTip | undefined
  const run = (tipping: Asking['tipping']) => handler.run({ ...asking, tipping })
  const attempt = claims().then((member) =>
    asking.tipping.dryRun(run, member, (foreseen) => {
      tip = foreseen
    }),
  )
  // Late presses are not listened to.
  attempt.catch(() => undefined)
  try {
    return (await Promise.race([attempt, late.promise])) === 'asks' ? { answer: 'private' } : { answer, tip }
  } catch (error) {
    const isForeseen = error instanceof TippingRefusal || error instanceof CommandRefusal
    return isForeseen ? { answer: 'private', refused: error } : { answer }
  } finally {
    cancel()
  }
}

/** The options and fields whose amount a card is about. */
const AMOUNTS = ['amount', 'prize']

function askedIn(interaction: Answerable): string | undefined {
  const typed = typedIn(interaction).find(({ name }) => AMOUNTS.includes(name))
  return typed === undefined ? undefined : fiatAsked(typed.text)
}

interface AskedNow {
  readonly reply: ReplyToken
  readonly log: Logger
  /** Recipients that the answer will name, as far as they are known. */
  readonly named: Set<string>
}

function askingOf(interaction: Answerable, { reply, log, named }: AskedNow, options: RouterOptions): Asking {
  const { user, member } = interaction
  const guild = guildOf(interaction)
  const locale = localeOf(interaction, options.tipping)
  // A server that this process knows nothing of is described by Discord's own words alone.
  const nick = member === null ? undefined : 'displayName' in member ? member.displayName : (member.nick ?? undefined)
  const channel = interaction.channelId ?? ''
  const origin = {
    interaction: interaction.id,
    guild,
    channel,
    reply: writeReplyToken(reply),
    locale,
    asked: askedIn(interaction),
  }
  return {
    member: user.id,
    memberName: nick ?? user.displayName,
    userName: user.username,
    caller: memberContextOf(interaction, options.tipping),
    guild,
    origin,
    announced: { ...origin, reply: reply.guest ? writeReplyToken(following(reply)) : '' },
    asked: new Date(options.clock.now()),
    t: options.translatorFor(locale),
    toAll: options.translatorFor(options.serverLocale(guild) ?? locale),
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
  readonly again: Handler['again']
}

/** The one catch: what went wrong is told privately. Resolves to whether that was possible. */
async function explain(
  error: unknown,
  { reply, answer, t, log, again }: Explaining,
  options: RouterOptions,
): Promise<boolean> {
  try {
    const refusal = refusalOf(error, t, { log, application: reply.application })
    const { buttons = [], ...rest } = again?.(t) ?? {}
    const said = { ...refusal, ...rest, buttons: [...(refusal.buttons ?? []), ...buttons] }
    await sayPrivately(reply, answer, said, options)
    return true
  } catch (cause) {
    log.warn({ err: cause }, 'the answer could not be given')
    return false
  }
}

/**
 * Discord fixes with the acknowledgement who sees the answer, so a public one is taken back and a private one given.
 */
async function sayPrivately(reply: ReplyToken, answer: AnswerMode, message: Message, { messenger }: RouterOptions) {
  if (answer === 'private') {
    await messenger.answer(reply, message)
    return
  }
  // A message that was to be changed stays as it was.
  if (answer === 'public') await messenger.deleteAnswer(reply)
  await messenger.followUp(reply, message, { private: true })
}
