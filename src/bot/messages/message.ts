import type { RawFile } from '@discordjs/rest'
import {
  type APIActionRowComponent,
  type APIButtonComponentWithCustomId,
  type APIButtonComponentWithURL,
  type APIComponentInMessageActionRow,
  type APIEmbed,
  type APISelectMenuComponent,
  type APIStringSelectComponent,
  ButtonStyle,
  ComponentType,
  MessageFlags,
} from 'discord.js'
import { componentsOf, type Frame } from './frame.ts'

export interface ChoiceOption {
  readonly value: string
  readonly label: string
  readonly chosen?: boolean
}

/** A button that is pressed, or one that opens a page. */
export type AnyButton = APIButtonComponentWithCustomId | APIButtonComponentWithURL

/** A whole message of the bot. An edit also clears the fields that the new message does not set. */
export interface Message {
  readonly content?: string
  readonly embeds?: readonly APIEmbed[]
  /** The frame, which replaces embeds. The text of `content` is above the frame. */
  readonly frame?: Frame
  readonly buttons?: readonly AnyButton[]
  /**
   * Menus to choose from, each in a row above the buttons. A message has at most five menus and rows of buttons
   * together.
   */
  readonly menus?: readonly APISelectMenuComponent[]
  readonly pictures?: readonly Picture[]
  readonly files?: readonly TextFile[]
  /** The people whom the message notifies. The text notifies nobody else. */
  readonly notifies?: readonly string[]
}

/** A PNG picture, which an embed shows as `attachment://<name>`. */
export interface Picture {
  readonly name: string
  readonly png: Buffer
  /** The text that screen readers read in place of the picture. */
  readonly alt: string
}

/** A file to download. */
export interface TextFile {
  readonly name: string
  readonly text: string
  readonly contentType: string
  /** A description for screen readers. */
  readonly alt: string
}

/** The options for sending a message. */
export interface Posting {
  readonly private?: boolean
  /** The id of the message in the same channel that the new message answers. */
  readonly answers?: string
  /** Whether an existing message is edited, so that the request must also clear earlier parts. */
  readonly edits?: true
  /**
   * A key of at most 25 characters. Discord creates only one message for a key, even if the message is requested twice
   * within minutes.
   */
  readonly once?: string
}

/**
 * Builds the request for a message in the form of Discord's REST interface. Every field is set, so an edit leaves no
 * earlier content.
 */
export function requestFor(
  message: Message,
  posting: Posting = {},
): { body: Record<string, unknown>; files: RawFile[] } {
  const { buttons = [], menus = [], pictures = [], files = [], notifies = [] } = message
  const rows = [
    ...menus.map((menu) => ({ type: ComponentType.ActionRow as const, components: [menu] })),
    ...rowsOf(buttons),
  ]
  const flags =
    (message.frame === undefined ? 0 : MessageFlags.IsComponentsV2) | (posting.private ? MessageFlags.Ephemeral : 0)
  const body = {
    ...shown(message, rows, posting),
    attachments: [...pictures, ...files].map(({ name, alt }, index) => ({
      id: index,
      filename: name,
      description: alt,
    })),
    allowed_mentions: { parse: [], users: notifies, replied_user: false },
    ...(flags === 0 ? {} : { flags }),
    ...(posting.answers === undefined
      ? {}
      : { message_reference: { message_id: posting.answers, fail_if_not_exists: false } }),
    ...(posting.once === undefined ? {} : { nonce: posting.once, enforce_nonce: true }),
  }
  return {
    body,
    files: [
      ...pictures.map(({ name, png }) => ({ name, data: png, contentType: 'image/png' })),
      ...files.map(({ name, text, contentType }) => ({ name, data: Buffer.from(text), contentType })),
    ],
  }
}

type Row = APIActionRowComponent<APIComponentInMessageActionRow>

/**
 * Returns a message's visible parts. A message with a frame has neither content nor embeds, so an edit empties both.
 * https://docs.discord.com/developers/resources/message#edit-message
 */
function shown({ content = '', embeds = [], frame, pictures = [] }: Message, rows: readonly Row[], { edits }: Posting) {
  if (frame === undefined) return { content, embeds, components: rows }
  const altOf = (picture: string) => pictures.find(({ name }) => name === picture)?.alt ?? ''
  const components = componentsOf(content, frame, { rows, altOf })
  return edits ? { content: null, embeds: [], components } : { components }
}

/**
 * Builds a button, whose `custom_id` contains the action and the record. The button needs no state of the bot, so it
 * still works after a restart.
 */
export function button(
  verb: string,
  record: string,
  label: string,
  {
    emoji,
    style = ButtonStyle.Secondary,
  }: { emoji?: string; style?: ButtonStyle.Secondary | ButtonStyle.Primary } = {},
): APIButtonComponentWithCustomId {
  return {
    type: ComponentType.Button,
    style,
    label,
    custom_id: `${verb}:${record}`,
    ...(emoji === undefined ? {} : { emoji: { name: emoji } }),
  }
}

/** Builds a menu of at most 25 choices, which is shown under a message. */
export function select(
  verb: string,
  record: string,
  placeholder: string,
  options: readonly ChoiceOption[],
): APIStringSelectComponent {
  return {
    type: ComponentType.StringSelect,
    custom_id: `${verb}:${record}`,
    placeholder,
    options: options.map(({ value, label, chosen = false }) => ({ value, label, default: chosen })),
  }
}

const BUTTONS_A_ROW = 5

function rowsOf(buttons: readonly AnyButton[]): Row[] {
  const rows: Row[] = []
  for (let at = 0; at < buttons.length; at += BUTTONS_A_ROW) {
    rows.push({ type: ComponentType.ActionRow, components: buttons.slice(at, at + BUTTONS_A_ROW) })
  }
  return rows
}
