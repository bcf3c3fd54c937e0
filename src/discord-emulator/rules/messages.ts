import { checkComponents } from './components.ts'
import { checkEmbeds } from './embeds.ts'
import { checkFiles, type FilePlan, type UploadedFile } from './files.ts'
import { Form, type JsonObject } from './form.ts'
import { type AllowedMentions, checkAllowedMentions } from './mentions.ts'
import { emptyMessage } from './refusal.ts'

/** https://docs.discord.com/developers/resources/message#message-object-message-flags */
export const flag = {
  suppressEmbeds: 1 << 2,
  ephemeral: 1 << 6,
  loading: 1 << 7,
  suppressNotifications: 1 << 12,
  componentsV2: 1 << 15,
} as const

const maxContent = 2000

/** A checked request to write a message. Omitted fields are `undefined`, and fields that were `null` are empty. */
export interface MessageDraft {
  readonly content: string | undefined
  readonly embeds: readonly JsonObject[] | undefined
  readonly components: readonly JsonObject[] | undefined
  readonly files: FilePlan
  readonly allowedMentions: AllowedMentions | undefined
  /**
   * Of the request's flags, only those that a bot can set: suppress embeds or notifications, ephemeral, and components
   * v2.
   */
  readonly flags: number
  readonly replyTo: string | undefined
  /**
   * Whether the message to which this one replies must still exist. If it need not and does not, the reply becomes an
   * ordinary message.
   */
  readonly mustExist: boolean
  readonly nonce: string | undefined
  readonly enforceNonce: boolean
}

/** The facts about an existing message on which the check of an edit depends. */
export interface EditedMessage {
  readonly flags: number
  readonly content: string
  readonly embeds: readonly JsonObject[]
  readonly components: readonly JsonObject[]
  readonly attachments: readonly { readonly id: string; readonly filename: string }[]
}

const nothing: EditedMessage = { flags: 0, content: '', embeds: [], components: [], attachments: [] }

/**
 * Checks a new message: a channel message, a response to an interaction or a follow-up. Throws 50035 if it is invalid,
 * and 50006 if it is empty.
 */
export function checkNewMessage(body: JsonObject, uploads: readonly UploadedFile[]): MessageDraft {
  return checkMessage(body, uploads, nothing)
}

/**
 * Checks an edit against the existing message. Throws 50035 if it is invalid, and 50006 if the message would be empty
 * afterwards.
 */
export function checkEdit(body: JsonObject, uploads: readonly UploadedFile[], existing: EditedMessage): MessageDraft {
  return checkMessage(body, uploads, existing)
}

function checkMessage(body: JsonObject, uploads: readonly UploadedFile[], existing: EditedMessage): MessageDraft {
  const form = new Form()
  const settable = flag.suppressEmbeds | flag.suppressNotifications | flag.ephemeral | flag.componentsV2
  const flags = (form.integer(body, 'flags', [], { min: 0 }) ?? 0) & settable
  const wasV2 = (existing.flags & flag.componentsV2) !== 0
  const v2 = wasV2 || (flags & flag.componentsV2) !== 0
  if (wasV2 && typeof body.flags === 'number' && (flags & flag.componentsV2) === 0)
    form.fault(
      ['flags'],
      'MESSAGE_FLAGS_CANNOT_REMOVE_COMPONENTS_V2',
      'The IS_COMPONENTS_V2 flag cannot be removed from a message',
    )
  const draft: MessageDraft = {
    content: body.content === null ? '' : form.text(body, 'content', [], { max: maxContent }),
    embeds: body.embeds === null ? [] : checkEmbeds(form, body),
    components: body.components === null ? [] : checkComponents(form, body, v2),
    files: checkFiles(
      form,
      body.attachments === null ? { ...body, attachments: [] } : body,
      uploads,
      existing.attachments.map(({ id }) => id),
    ),
    allowedMentions: checkAllowedMentions(form, body),
    flags,
    ...reference(form, body),
    ...nonce(form, body),
  }
  form.boolean(body, 'tts', [])
  if (v2) {
    forbidLegacy(form, body, draft, existing)
    requireFiles(form, draft, existing)
  }
  form.refuse()
  if (isEmpty(draft, existing)) throw emptyMessage()
  return draft
}

/**
 * Records a fault for each field that a message with components v2 cannot have, such as content or embeds, even if an
 * edit only leaves it there.
 */
function forbidLegacy(form: Form, body: JsonObject, draft: MessageDraft, existing: EditedMessage): void {
  const left: Record<string, boolean> = {
    content: (draft.content ?? existing.content) !== '',
    embeds: (draft.embeds ?? existing.embeds).length > 0,
    poll: (body.poll ?? undefined) !== undefined,
    sticker_ids: Array.isArray(body.sticker_ids) && body.sticker_ids.length > 0,
  }
  for (const [field, present] of Object.entries(left))
    if (present)
      form.fault(
        [field],
        'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2',
        `The '${field}' field cannot be used when using MessageFlags.IS_COMPONENTS_V2`,
      )
}

/**
 * Records a fault for each file that a component shows (`attachment://name`) and that does not exist. In embeds, a
 * missing picture is no fault.
 */
function requireFiles(form: Form, draft: MessageDraft, existing: EditedMessage): void {
  const names = new Set([...existing.attachments, ...draft.files.added].map(({ filename }) => filename))
  for (const [, name = ''] of JSON.stringify(draft.components ?? []).matchAll(/"attachment:\/\/([^"]+)"/g))
    if (!names.has(name))
      form.fault(['components'], 'UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND', `No such attachment: ${name}`)
}

function isEmpty(draft: MessageDraft, existing: EditedMessage): boolean {
  const attachments = draft.files.added.length + (draft.files.remainingIds?.length ?? existing.attachments.length)
  return (
    (draft.content ?? existing.content).trim() === '' &&
    (draft.embeds ?? existing.embeds).length === 0 &&
    (draft.components ?? existing.components).length === 0 &&
    attachments === 0
  )
}

function reference(form: Form, body: JsonObject): Pick<MessageDraft, 'replyTo' | 'mustExist'> {
  const source = form.object(body, 'message_reference', [])
  const at = ['message_reference']
  return {
    replyTo: source && form.text(source, 'message_id', at, { max: 20, required: true }),
    mustExist: (source && form.boolean(source, 'fail_if_not_exists', at)) ?? true,
  }
}

function nonce(form: Form, body: JsonObject): { nonce: string | undefined; enforceNonce: boolean } {
  const value = typeof body.nonce === 'number' ? String(body.nonce) : form.text(body, 'nonce', [], { max: 25 })
  return { nonce: value, enforceNonce: form.boolean(body, 'enforce_nonce', []) ?? false }
}
