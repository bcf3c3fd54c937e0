import type {
  AnySelectMenuInteraction,
  APIRole,
  AutocompleteInteraction,
  ChatInputCommandInteraction,
  CommandInteractionOption,
  ModalSubmitInteraction,
  Role,
} from 'discord.js'
import { holdsConnection } from '../../lib/nostr/wallet-connect/connection.ts'
import type { Translator } from '../i18n/translator.ts'
import { hasLink } from '../messages/links.ts'
import type { Message } from '../messages/message.ts'
import { CommandRefusal } from '../refusals/command-refusal.ts'
import { type Answerable, typedIn } from './answerable.ts'
import type {
  AnswerMode,
  Asking,
  Button,
  Call,
  Choice,
  Command,
  FormReply,
  Mentioned,
  Outcome,
  Submission,
  UploadedFile,
  UploadedPicture,
} from './command.ts'
import { interactionContextOf, whyNotAllowed } from './command-rights.ts'
import type { RouterOptions } from './router-options.ts'
import { mustBeHere, type Names } from './same-server.ts'

/** The handler of an interaction. */
export interface Handler {
  readonly name: string
  readonly answer: AnswerMode
  readonly dryRun?: true | undefined
  run(asking: Asking): Promise<Outcome>
  /** Returns the button under a refusal that opens the filled-in form again. */
  again?(t: Translator): Pick<Message, 'buttons' | 'content'>
}

/**
 * Creates the function that finds the handler of an interaction which is answered with a message. That function waits
 * only for the book, and only if it matters who moderates the server, and never rejects.
 */
export function createHandlers(
  options: Pick<
    RouterOptions,
    'commands' | 'buttons' | 'choices' | 'formReplies' | 'homeGuildId' | 'tipping' | 'threadOf'
  >,
) {
  const { tipping, homeGuildId, threadOf } = options
  const commands = new Map(options.commands.map((command) => [command.name, command]))
  const buttons = new Map<string, Button>()
  for (const button of options.buttons) if ('press' in button) buttons.set(button.verb, button)
  const choices = new Map(options.choices.map((choice) => [choice.verb, choice]))
  const replies = new Map(options.formReplies.map((reply) => [reply.verb, reply]))
  return async (interaction: Answerable): Promise<Handler> => {
    if (holdsConnectionText(interaction)) {
      const name = interaction.isChatInputCommand() ? interaction.commandName : 'form'
      return refusing(name, new CommandRefusal('commandRefusals.connection-posted'))
    }
    if (interaction.isChatInputCommand()) {
      return await commandHandler(interaction, { commands, tipping, homeGuildId, threadOf })
    }
    const [verb, record] = splitCustomId(interaction.customId)
    if (interaction.isModalSubmit()) return formHandler(interaction, replies.get(verb), record)
    if (interaction.isAnySelectMenu()) return choiceHandler(choices.get(verb), verb, record, interaction)
    const button = buttons.get(verb)
    const context = interactionContextOf(interaction, options)
    const isFollowed = context.isGuest && button?.guests === true
    const why = await whyNotAllowed(
      isFollowed
        ? { where: 'anywhere', answer: 'public' }
        : { where: 'anywhere', answer: 'private', announces: button?.announces },
      context,
    )
    return why === undefined ? buttonHandler(button, verb, record) : refusing(verb, why)
  }
}

/** Whether somebody typed a wallet's secret connection into Discord. If so, the command is refused. */
function holdsConnectionText(interaction: Answerable): boolean {
  return typedIn(interaction).some(({ text }) => holdsConnection(text))
}

interface HandlerOptions extends Pick<RouterOptions, 'tipping' | 'homeGuildId' | 'threadOf'> {
  readonly commands: ReadonlyMap<string, Command>
}

/** Returns a command's name as it is declared, such as `voucher create` for a subcommand. */
export function commandNameOf(interaction: ChatInputCommandInteraction | AutocompleteInteraction): string {
  const verb = interaction.options.getSubcommand(false)
  return verb === null ? interaction.commandName : `${interaction.commandName} ${verb}`
}

/** Splits `verb:record`. A record may contain colons. */
export function splitCustomId(customId: string): [verb: string, record: string] {
  const at = customId.indexOf(':')
  return at < 0 ? [customId, ''] : [customId.slice(0, at), customId.slice(at + 1)]
}

async function commandHandler(interaction: ChatInputCommandInteraction, options: HandlerOptions): Promise<Handler> {
  const name = commandNameOf(interaction)
  const command = options.commands.get(name)
  if (command === undefined) return refusing(name, new CommandRefusal('commandRefusals.stale-command'))
  const given = readOptions(interaction, command)
  const wrong = Object.entries(given).some(
    ([option, value]) => isOfBot(value) && !('ofBots' in (command.options[option] ?? {})),
  )
  if (wrong) return refusing(name, new CommandRefusal('commandRefusals.role-of-bot'))
  const hides = command.hidesAsker?.(given) === true
  const answer = hides || command.isPrivate?.(given) ? 'private' : command.answer
  const asked = hides ? ({ ...command, where: 'server', announces: true } as const) : { ...command, answer }
  const why = await whyNotAllowed(asked, interactionContextOf(interaction, options)).catch((error: unknown) => error)
  if (why !== undefined) return refusing(name, why)
  return {
    ...{ name, answer, dryRun: command.dryRun },
    async run(asking) {
      await refuseLinks(asking, given)
      return await command.run({ ...asking, options: given })
    },
  }
}

function choiceHandler(
  choice: Choice | undefined,
  verb: string,
  record: string,
  interaction: AnySelectMenuInteraction,
): Handler {
  if (choice === undefined) return refusing(verb.slice(0, 40), new CommandRefusal('commandRefusals.stale-button'))
  const roles = interaction.isRoleSelectMenu() ? [...interaction.roles.values()] : []
  if (roles.some((role) => isOfBot(readRole(role))))
    return refusing(verb, new CommandRefusal('commandRefusals.role-of-bot'))
  const chosen = interaction.values
  const { answer, names } = choice
  return { name: verb, answer, run: here(names, record, (asking) => choice.choose({ ...asking, record, chosen })) }
}

function buttonHandler(button: Button | undefined, verb: string, record: string): Handler {
  if (button === undefined) return refusing(verb.slice(0, 40), new CommandRefusal('commandRefusals.stale-button'))
  const { answer, names } = button
  return { name: verb, answer, run: here(names, record, (asking) => button.press({ ...asking, record })) }
}

function formHandler(interaction: ModalSubmitInteraction, reply: FormReply | undefined, record: string): Handler {
  if (reply === undefined)
    return refusing(interaction.customId.slice(0, 40), new CommandRefusal('commandRefusals.stale-button'))
  const filled = readFields(interaction)
  const { answer, dryRun, names } = reply
  const run = here(names, record, async (asking) => {
    await refuseLinks(asking, filled.values)
    if (Object.values(filled.picked).flat().some(isOfBot)) throw new CommandRefusal('commandRefusals.role-of-bot')
    return await reply.submit({ ...asking, record, ...filled })
  })
  const again = (t: Translator) => reply.again?.({ record, ...filled, t }) ?? {}
  return { name: reply.verb, answer, dryRun, run, again }
}

/** Reads typed, picked and uploaded values, by field name. */
function readFields({ fields }: ModalSubmitInteraction): Pick<Submission, 'values' | 'picked' | 'pictures'> {
  const values: Record<string, string> = {}
  const picked: Record<string, readonly Mentioned[]> = {}
  const pictures: Record<string, UploadedPicture> = {}
  for (const [name, field] of fields.fields) {
    if ('value' in field && typeof field.value === 'string') values[name] = field.value
    if (!('values' in field)) continue
    const [users, roles] = ['users' in field ? field.users : undefined, 'roles' in field ? field.roles : undefined]
    if (field.values[0] !== undefined) values[name] = field.values[0]
    picked[name] = [
      ...(users?.map(({ id, bot }): Mentioned => ({ kind: 'member', id, bot })) ?? []),
      ...[...(roles?.values() ?? [])].flatMap((role) => (role === null ? [] : readRole(role))),
    ]
    const file = 'attachments' in field ? field.attachments?.first() : undefined
    if (file === undefined) continue
    const { url, size: bytes, width, height, contentType } = file
    pictures[name] = { url, bytes, width: width ?? 0, height: height ?? 0, contentType: contentType ?? '' }
  }
  return { values, picked, pictures }
}

/** The names of the options and fields for people's own texts, which the bot shows to others. */
const OWN_WORDS = ['note', 'description', 'reason', 'question', 'phrase', 'title', 'goal']

/** Throws CommandRefusal `no-links` for texts with a link, if the server forbids links. */
async function refuseLinks({ guild, tipping }: Asking, said: Readonly<Record<string, unknown>>): Promise<void> {
  if (guild === null) return
  const words = OWN_WORDS.map((name) => said[name]).filter((text) => typeof text === 'string')
  if (!words.some(hasLink) || !(await tipping.preferences.inForce(guild)).noLinks) return
  throw new CommandRefusal('commandRefusals.no-links')
}

/** Returns a handler that refuses a record of another server, and otherwise runs. */
function here(names: Names, record: string, run: Handler['run']): Handler['run'] {
  return async (asking) => {
    await mustBeHere(names, { ...asking, record })
    return await run(asking)
  }
}

function refusing(name: string, why: unknown): Handler {
  return {
    name,
    answer: 'private',
    run: () => Promise.reject(why),
  }
}

/** Returns the values of the options that the command declares. Discord has already checked the values' types. */
export function readOptions(interaction: ChatInputCommandInteraction, command: Command): Call['options'] {
  return Object.fromEntries(
    Object.keys(command.options).map((name) => {
      const given = interaction.options.get(name)
      return [name, given === null ? undefined : readValue(given)]
    }),
  )
}

function readRole({ id, tags }: Role | APIRole): Extract<Mentioned, { kind: 'role' }> {
  const bot = tags && ('botId' in tags ? tags.botId : 'bot_id' in tags ? tags.bot_id : undefined)
  return typeof bot === 'string' ? { kind: 'role', id, ofBot: true } : { kind: 'role', id }
}

function isOfBot(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'ofBot' in value && value.ofBot === true
}

function readValue({
  user,
  role,
  attachment,
  value,
}: CommandInteractionOption): Mentioned | UploadedFile | string | number | boolean | undefined {
  if (user) return { kind: 'member', id: user.id, bot: user.bot }
  if (role) return readRole(role)
  if (attachment) return { url: attachment.url, name: attachment.name, size: attachment.size }
  return value
}
