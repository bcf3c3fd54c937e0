import type { Core } from '../core/core.ts'
import { sendInteraction } from '../interactions/send.ts'
import { deleteMessage, emptyDraft, postMessage } from '../messages/posts.ts'
import { addReaction, parseEmoji, removeReaction } from '../messages/reactions.ts'
import { changeThread } from '../messages/threads.ts'
import { commandKind } from '../rules/commands.ts'
import { kind } from '../rules/component-kinds.ts'
import { everyComponent } from '../rules/components.ts'
import { type JsonObject, lengthOf } from '../rules/form.ts'
import { mentionEverything } from '../rules/mentions.ts'
import type { ChannelView, ChoiceView, CommandView, MessageView, PersonView, ServerView } from '../views.ts'
import { channelPermissions, may, permission, sendingIn } from '../world/permissions.ts'
import {
  type ChannelRecord,
  type CommandRecord,
  channelKind,
  type MessageRecord,
  type UserRecord,
} from '../world/records.ts'
import { maySendTo, openDm, openGroup } from './direct.ts'
import { type FormValues, fillForm } from './form-values.ts'
import { InteractionHandle } from './interaction-handle.ts'
import { NotPossible } from './not-possible.ts'
import { checkValues, nestValues, type OptionValues, partialValues } from './option-values.ts'
import { commandView, findRunnable, runnables, usableCommands } from './picker.ts'
import { Resolved, withMentions } from './resolved.ts'
import { checkSelection } from './selection.ts'

const maxContent = 2000

/**
 * A person: what they see, and what they can do. Every action throws `NotPossible`, with the text of Discord's client,
 * if the person cannot do it. The `InteractionHandle` that some actions return shows how the bot responds.
 */
export class Person {
  readonly id: string
  readonly #core: Core

  constructor(core: Core, user: UserRecord) {
    this.#core = core
    this.id = user.id
  }

  view(): PersonView {
    return this.#core.seen.person(this.#user())
  }

  /** Returns the person's servers, each with the channels that the person can see. */
  servers(): ServerView[] {
    return this.#core.world.guildsOf(this.id).map((guild) => this.#core.seen.server(guild, this.id))
  }

  directMessages(): ChannelView[] {
    return this.#core.world.dmsOf(this.id).map((channel) => this.#core.seen.channel(channel, this.id))
  }

  /**
   * Returns the latest messages that the person sees in a channel, oldest first. With `before`, returns those before
   * that message.
   */
  conversation(channelId: string, { before, limit = 100 }: { before?: string; limit?: number } = {}): MessageView[] {
    const channel = this.#channel(channelId)
    return this.#core.world
      .log(channel.id)
      .page({ before, limit }, (message) => this.#sees(message))
      .map((message) => this.#core.seen.message(message))
  }

  /**
   * Returns the commands that the person finds after typing `/` and in the menus of people and messages, in their
   * language.
   */
  commands(channelId: string): CommandView[] {
    const { locale } = this.#user()
    return usableCommands(this.#core, this.id, this.#channel(channelId)).flatMap((command) =>
      runnables(command, locale).map((runnable) => commandView(runnable, locale)),
    )
  }

  /** Runs a slash command, for example `run(channel, 'voucher create', { amount: '500' })`. */
  run(channelId: string, path: string, values: OptionValues = {}): InteractionHandle {
    const channel = this.#channel(channelId)
    const runnable = findRunnable(this.#core, this.id, channel, path)
    const resolved = new Resolved(this.#core, channel, this.id)
    const options = nestValues(runnable, checkValues(this.#core, channel, runnable, values, resolved))
    return this.#send({
      type: 2,
      channel,
      name: runnable.path.join(' '),
      commandType: commandKind.chatInput,
      data: { ...commandData(runnable.command), options, ...resolved.asField() },
    })
  }

  /** Returns the bot's suggestions for the focused option. Rejects if the bot does not send them in time. */
  async autocomplete(
    channelId: string,
    path: string,
    values: OptionValues,
    focused: string,
  ): Promise<readonly ChoiceView[]> {
    const channel = this.#channel(channelId)
    const runnable = findRunnable(this.#core, this.id, channel, path)
    const option = runnable.options.find(({ name }) => name === focused)
    if (option?.autocomplete !== true) throw new NotPossible('This option has no suggestions.', focused)
    const view = await this.#send({
      type: 4,
      channel,
      name: runnable.path.join(' '),
      commandType: commandKind.chatInput,
      data: {
        ...commandData(runnable.command),
        options: nestValues(runnable, partialValues(runnable, values, focused)),
      },
    }).answered()
    if (view.choices === null) throw new NotPossible('Loading options failed', focused)
    return view.choices
  }

  /** Uses a command from a message's menu. */
  useOnMessage(channelId: string, messageId: string, name: string): InteractionHandle {
    const channel = this.#channel(channelId)
    const message = this.#message(channel, messageId)
    const command = this.#menuCommand(channel, commandKind.message, name)
    const resolved = new Resolved(this.#core, channel, this.id)
    resolved.message(message)
    return this.#send({
      type: 2,
      channel,
      name,
      commandType: commandKind.message,
      targetMessageId: message.id,
      data: { ...commandData(command), target_id: message.id, ...resolved.asField() },
    })
  }

  /** Uses a command from a person's menu. */
  useOnPerson(channelId: string, personId: string, name: string): InteractionHandle {
    const channel = this.#channel(channelId)
    const command = this.#menuCommand(channel, commandKind.user, name)
    const resolved = new Resolved(this.#core, channel, this.id)
    if (resolved.user(personId) === undefined) throw new NotPossible('There is no such person.')
    return this.#send({
      type: 2,
      channel,
      name,
      commandType: commandKind.user,
      targetUserId: personId,
      data: { ...commandData(command), target_id: personId, ...resolved.asField() },
    })
  }

  /** Presses a button. */
  press(channelId: string, messageId: string, customId: string): InteractionHandle {
    const { channel, message, component } = this.#component(channelId, messageId, customId)
    if (component.type !== kind.button) throw new NotPossible('This is not a button.', customId)
    const data = { custom_id: customId, component_type: kind.button, id: component.id }
    return this.#send({ type: 3, channel, name: customId, data, source: message })
  }

  /** Chooses in a menu: the values of options; or people, roles and channels by id, mention or name. */
  choose(channelId: string, messageId: string, customId: string, chosen: readonly string[]): InteractionHandle {
    const { channel, message, component } = this.#component(channelId, messageId, customId)
    if (component.type === kind.button) throw new NotPossible('This is not a menu.', customId)
    const resolved = new Resolved(this.#core, channel, this.id)
    const values = checkSelection(component, chosen, resolved)
    const data = {
      custom_id: customId,
      component_type: component.type,
      id: component.id,
      values,
      ...resolved.asField(),
    }
    return this.#send({ type: 3, channel, name: customId, data, source: message })
  }

  /** Submits the form that one of the person's interactions has opened. */
  submit(interactionId: string, values: FormValues): InteractionHandle {
    const { world } = this.#core
    const opener = world.interaction(interactionId)
    if (opener === undefined || opener.userId !== this.id || opener.modal === null)
      throw new NotPossible('There is no form to send.')
    const channel = this.#channel(opener.channelId)
    const resolved = new Resolved(this.#core, channel, this.id)
    const components = fillForm(opener.modal, values, resolved)
    const source = world.message(channel.id, opener.sourceMessageId ?? '')
    const name = String(opener.modal.custom_id)
    const data = { custom_id: name, components, ...resolved.asField() }
    return this.#send({ type: 5, channel, name, data, source, openedBy: opener.id })
  }

  /** Writes a message. An `@name` in it becomes a mention. */
  say(channelId: string, text: string, { replyTo }: { replyTo?: string } = {}): MessageView {
    const channel = this.#channel(channelId)
    this.#need(channel, sendingIn(channel), 'You do not have permission to send messages in this channel.')
    if (channel.type === channelKind.forum) throw new NotPossible('In a forum, every message must be in a post.')
    const otherId = channel.type === channelKind.dm ? channel.recipientIds.find((id) => id !== this.id) : undefined
    if (otherId !== undefined && !maySendTo(this.#core, this.id, otherId))
      throw new NotPossible('Your message could not be delivered.')
    if (channel.thread?.locked && !may(this.#core.world, channel, this.id, permission.manageThreads))
      throw new NotPossible('This thread is locked.')
    if (channel.thread?.archived) changeThread(this.#core, channel, { archived: false })
    const content = withMentions(this.#core, channel, text.trim())
    if (content === '') throw new NotPossible('Write something first.')
    if (lengthOf(content) > maxContent) throw new NotPossible('Your message is too long.')
    const message = postMessage(this.#core, {
      channel,
      authorId: this.id,
      type: replyTo === undefined ? 0 : 19,
      draft: { ...emptyDraft, content },
      flags: 0,
      defaultMentions: mentionEverything,
      origin: null,
      replyTo: replyTo === undefined ? null : this.#message(channel, replyTo).id,
      visibleTo: null,
    })
    return this.#core.seen.message(message)
  }

  /** Deletes one of the person's own messages or, if they have the permission Manage Messages, anybody's message. */
  delete(channelId: string, messageId: string): void {
    const channel = this.#channel(channelId)
    const message = this.#message(channel, messageId)
    if (message.authorId !== this.id) this.#need(channel, permission.manageMessages, 'You cannot delete this message.')
    deleteMessage(this.#core, message)
  }

  /** Dismisses a message that only this person sees. */
  dismiss(channelId: string, messageId: string): void {
    const message = this.#message(this.#channel(channelId), messageId)
    if (message.visibleTo !== this.id) throw new NotPossible('This message cannot be dismissed.')
    message.dismissed = true
    this.#core.world.saveMessage(message)
    this.#core.tellObservers(() => ({ type: 'message-deleted', channelId, visibleTo: this.id, messageId }))
  }

  react(channelId: string, messageId: string, emoji: string): void {
    const channel = this.#channel(channelId)
    this.#need(channel, permission.addReactions, 'You do not have permission to add reactions here.')
    if (channel.thread?.archived) throw new NotPossible('This thread is archived.')
    addReaction(this.#core, this.#reactable(channel, messageId), parseEmoji(emoji), this.id)
  }

  unreact(channelId: string, messageId: string, emoji: string): void {
    removeReaction(this.#core, this.#reactable(this.#channel(channelId), messageId), parseEmoji(emoji), this.id)
  }

  /** Opens a group conversation with these people, none of whom can be a bot. */
  openGroup(personIds: readonly string[], name: string): ChannelView {
    const { users } = this.#core.world
    if (personIds.some((id) => users.get(id)?.bot !== false)) throw new NotPossible('There is no such person.')
    return this.#core.seen.channel(openGroup(this.#core, [this.id, ...personIds], name), this.id)
  }

  /** Opens the direct conversation with another person or with the bot. */
  openDm(personId: string): ChannelView {
    if (personId === this.id || !this.#core.world.users.has(personId)) throw new NotPossible('There is no such person.')
    return this.#core.seen.channel(openDm(this.#core, this.id, personId), this.id)
  }

  /** Allows or forbids direct messages from members of shared servers. */
  setDmsOpen(open: boolean): void {
    const user = this.#user()
    user.dmsOpen = open
    this.#core.world.saveUser(user)
    this.#core.tellObservers(() => ({ type: 'world', visibleTo: null }))
  }

  #send(doing: Omit<Parameters<typeof sendInteraction>[1], 'userId'>): InteractionHandle {
    return new InteractionHandle(this.#core, sendInteraction(this.#core, { ...doing, userId: this.id }))
  }

  #user(): UserRecord {
    const user = this.#core.world.users.get(this.id)
    if (user === undefined) throw new NotPossible('This person is gone. Choose another person.')
    return user
  }

  #channel(channelId: string): ChannelRecord {
    const channel = this.#core.world.channels.get(channelId)
    if (channel === undefined || channelPermissions(this.#core.world, channel, this.id) === 0n)
      throw new NotPossible('You do not have access to this channel.')
    return channel
  }

  #need(channel: ChannelRecord, bits: bigint, words: string): void {
    if (!may(this.#core.world, channel, this.id, bits)) throw new NotPossible(words)
  }

  #sees(message: MessageRecord): boolean {
    return message.visibleTo === null || (message.visibleTo === this.id && !message.dismissed)
  }

  #message(channel: ChannelRecord, messageId: string): MessageRecord {
    const message = this.#core.world.message(channel.id, messageId)
    if (message === undefined || !this.#sees(message)) throw new NotPossible('This message is gone.')
    return message
  }

  #reactable(channel: ChannelRecord, messageId: string): MessageRecord {
    const message = this.#message(channel, messageId)
    if (message.visibleTo !== null) throw new NotPossible('Only you can see this message, so you cannot react to it.')
    return message
  }

  #menuCommand(channel: ChannelRecord, type: number, name: string): CommandRecord {
    const found = usableCommands(this.#core, this.id, channel).find((each) => each.type === type && each.name === name)
    if (found === undefined) throw new NotPossible(`There is no command "${name}" that you can use here.`)
    return found
  }

  #component(channelId: string, messageId: string, customId: string) {
    const channel = this.#channel(channelId)
    const message = this.#message(channel, messageId)
    const component = everyComponent(message.components).find((each: JsonObject) => each.custom_id === customId)
    if (component === undefined) throw new NotPossible('There is no such button or menu on this message.', customId)
    if (component.disabled === true) throw new NotPossible('This button or menu is switched off.', customId)
    return { channel, message, component }
  }
}

function commandData(command: CommandRecord): JsonObject {
  return {
    id: command.id,
    name: command.name,
    type: command.type,
    ...(command.guildId !== null && { guild_id: command.guildId }),
  }
}
