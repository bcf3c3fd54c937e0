import {
  type ButtonInteraction,
  type ChatInputCommandInteraction,
  type CommandInteractionOption,
  type Interaction,
  type InteractionDeferReplyOptions,
  MessageFlags,
} from 'discord.js'
import type { Clock } from '../lib/clock.ts'
import type { Logger } from '../lib/logger.ts'
import { Refusal, type Tipping } from '../tipping/tipping.ts'
import { type Acknowledgements, createAcknowledgements } from './acknowledgements.ts'
import type { CardBoard } from './cards/card-board.ts'
import type { Answer, Asking, Button, Call, Command, Mentioned, Outcome } from './command.ts'
import { Declined } from './declined.ts'
import type { GuildMembers } from './guild-members.ts'
import { refusal } from './look.ts'
import type { Message } from './message.ts'
import type { Messenger } from './messenger.ts'
import { refusalWords } from './refusal-words.ts'
import { type ReplyToken, replyToken, writeReplyToken } from './reply-token.ts'
import type { Words } from './words.ts'

export interface RouterOptions {
  readonly commands: readonly Command[]
  readonly buttons: readonly Button[]
  readonly board: CardBoard
  readonly messenger: Messenger
  readonly tipping: Tipping
  readonly members: GuildMembers
  readonly wordsFor: (locale: string) => Words
  readonly clock: Clock
  readonly log: Logger
}

/** The one way in for everything that people do, and the one place where what goes wrong is caught. */
export interface Router {
  /** Never throws. */
  handle(interaction: Interaction): Promise<void>
  /** Resolves when every command that has begun has been answered. */
  settled(): Promise<void>
}

type Answerable = ChatInputCommandInteraction | ButtonInteraction

/** What is to be done for an interaction, found without waiting for anything. */
interface Errand {
  readonly name: string
  readonly answer: Answer
  run(asking: Asking): Promise<Outcome>
}

export function createRouter(options: RouterOptions): Router {
  const commands = new Map(options.commands.map((command) => [command.name, command]))
  const buttons = new Map(options.buttons.map((button) => [button.verb, button]))
  const running = new Map<string, Promise<void>>()
  const acknowledgements = createAcknowledgements(options.clock)

  function errandOf(interaction: Answerable): Errand {
    if (interaction.isChatInputCommand()) return commandErrand(interaction, commands.get(interaction.commandName))
    const [verb = '', record = ''] = split(interaction.customId)
    return pressErrand(buttons.get(verb), verb, record)
  }

  return {
    async handle(interaction) {
      if (!interaction.isChatInputCommand() && !interaction.isButton()) return
      // Discord may deliver the same interaction again when a connection is resumed.
      if (running.has(interaction.id)) return
      const answering = answer(interaction, errandOf(interaction), acknowledgements, options)
      running.set(interaction.id, answering)
      await answering.finally(() => running.delete(interaction.id))
    },
    async settled() {
      await Promise.all(running.values())
    },
  }
}

/** The whole life of an answer. The acknowledgement comes before anything that waits, and nothing moves without it. */
async function answer(
  interaction: Answerable,
  errand: Errand,
  acknowledgements: Acknowledgements,
  options: RouterOptions,
): Promise<void> {
  const { board, clock } = options
  const log = options.log.child({ interaction: interaction.id, command: errand.name })
  const reply = replyToken(interaction.applicationId, interaction.token, clock.now())
  const release = board.reserve(interaction.id)
  const startedMs = clock.monotonic()
  try {
    const defer: InteractionDeferReplyOptions = errand.answer === 'private' ? { flags: MessageFlags.Ephemeral } : {}
    await acknowledgements.send(() => interaction.deferReply(defer))
  } catch (error) {
    log.warn({ err: error }, 'not acknowledged, so nothing was done')
    return release()
  }
  const asking = askingOf(interaction, reply, log, options)
  await acknowledgements.calm()
  try {
    const outcome = await errand.run(asking)
    if ('card' in outcome) await board.show(outcome.card)
    else await options.messenger.answer(reply, outcome.say)
  } catch (error) {
    await explain(error, { reply, answer: errand.answer, words: asking.words, log }, options)
  }
  release()
  try {
    await board.tellUntold(asking.member, reply, asking.words)
  } catch (error) {
    log.warn({ err: error }, 'what happened before could not be told; the next command will')
  }
  log.debug({ ms: Math.round(clock.monotonic() - startedMs) }, 'answered')
}

function askingOf(interaction: Answerable, reply: ReplyToken, log: Logger, options: RouterOptions): Asking {
  const { user, member, guildId, channelId, locale } = interaction
  const nick = member !== null && 'displayName' in member ? member.displayName : undefined
  return {
    member: user.id,
    memberName: nick ?? user.displayName,
    guild: guildId,
    origin: { interaction: interaction.id, guild: guildId, channel: channelId, reply: writeReplyToken(reply), locale },
    words: options.wordsFor(locale),
    tipping: options.tipping,
    members: options.members,
    log,
  }
}

interface Explaining {
  readonly reply: ReplyToken
  readonly answer: Answer
  readonly words: Words
  readonly log: Logger
}

/** The one catch: refusals become words, everything else a reference that the log knows. Always private. */
async function explain(error: unknown, { reply, answer, words, log }: Explaining, options: RouterOptions) {
  let text: string
  if (error instanceof Refusal) {
    log.info({ refusal: error.code }, 'refused')
    text = refusalWords(error, words)
  } else if (error instanceof Declined) {
    log.info({ declined: error.why }, 'declined')
    text = words.say(error.why, error.facts)
  } else {
    const reference = referenceOf(log.bindings().interaction)
    log.error({ reference, err: error }, 'a command failed')
    text = words.say('declined.unexpected', { reference })
  }
  try {
    await sayPrivately(reply, answer, refusal(text), options)
  } catch (cause) {
    log.warn({ err: cause }, 'the answer could not be given')
  }
}

/** Discord fixes with the acknowledgement who sees the answer, so a public one is taken back and a private one given. */
async function sayPrivately(reply: ReplyToken, answer: Answer, message: Message, { messenger }: RouterOptions) {
  if (answer === 'private') {
    await messenger.answer(reply, message)
    return
  }
  await messenger.withdraw(reply)
  await messenger.followUp(reply, message, { private: true })
}

/** Short enough to be read out: the last characters of the interaction's id in base 36. */
function referenceOf(interaction: unknown): string {
  return BigInt(String(interaction)).toString(36).slice(-7).toUpperCase()
}

function commandErrand(interaction: ChatInputCommandInteraction, command: Command | undefined): Errand {
  const name = interaction.commandName
  if (command === undefined) return declining(name, 'declined.stale-command')
  return {
    name,
    answer: command.answer,
    run(asking) {
      if (command.where === 'server' && asking.guild === null) throw new Declined('declined.servers-only')
      return command.run({ ...asking, options: readOptions(interaction, command) })
    },
  }
}

function pressErrand(button: Button | undefined, verb: string, record: string): Errand {
  if (button === undefined) return declining(verb.slice(0, 40), 'declined.stale-button')
  return { name: verb, answer: button.answer, run: (asking) => button.press({ ...asking, record }) }
}

function declining(name: string, why: Declined['why']): Errand {
  return {
    name,
    answer: 'private',
    run: () => Promise.reject(new Declined(why)),
  }
}

/** `verb:record`; a record may have colons of its own. */
function split(customId: string): [string, string] {
  const at = customId.indexOf(':')
  return at < 0 ? [customId, ''] : [customId.slice(0, at), customId.slice(at + 1)]
}

/** The values as the command declares them. Discord has checked their types against what was registered. */
function readOptions(interaction: ChatInputCommandInteraction, command: Command): Call['options'] {
  return Object.fromEntries(
    Object.keys(command.options).map((name) => {
      const given = interaction.options.get(name)
      return [name, given === null ? undefined : readValue(given)]
    }),
  )
}

function readValue({ user, role, value }: CommandInteractionOption): Mentioned | string | number | boolean | undefined {
  if (user) return { kind: 'member', id: user.id, bot: user.bot }
  if (role) return { kind: 'role', id: role.id }
  return value
}
