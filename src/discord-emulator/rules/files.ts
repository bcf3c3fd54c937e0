import type { Form, JsonObject } from './form.ts'
import { requestTooLarge } from './refusal.ts'

/** The size of the largest file that can be uploaded without a boost: 10 MiB. */
export const maxFileBytes = 10 * 1024 * 1024
const maxFiles = 10

/** A file in the part `files[n]` of a multipart request. */
export interface UploadedFile {
  readonly index: number
  readonly filename: string
  readonly contentType: string
  readonly bytes: Buffer
}

/** A checked file that will become an attachment. */
export interface NewFile {
  readonly filename: string
  readonly contentType: string
  readonly bytes: Buffer
  readonly description: string | undefined
}

/**
 * What a request does with a message's files: the new files, and the ids of the old files that stay (`undefined` if all
 * stay).
 */
export interface FilePlan {
  readonly added: readonly NewFile[]
  readonly remainingIds: readonly string[] | undefined
}

/**
 * Matches the uploaded files with the entries of `attachments`. In an entry, the `id` of a new file is the n of its
 * part, and the `id` of an old file is a snowflake. An edit that lists attachments removes the old files that it does
 * not list. https://docs.discord.com/developers/reference#uploading-files
 */
export function checkFiles(
  form: Form,
  body: JsonObject,
  uploads: readonly UploadedFile[],
  existingIds: readonly string[],
): FilePlan {
  for (const file of uploads) if (file.bytes.length > maxFileBytes) throw requestTooLarge()
  const listed = form.objects(body, 'attachments', [], { max: maxFiles })
  const about = new Map<number, JsonObject>()
  const remainingIds: string[] = []
  for (const [entry, at] of listed ?? []) {
    const id = String(entry.id ?? '')
    form.text(entry, 'filename', at, { max: 1024 })
    form.text(entry, 'description', at, { max: 1024 })
    if (existingIds.includes(id)) remainingIds.push(id)
    else if (uploads.some((file) => String(file.index) === id)) about.set(Number(id), entry)
    else form.fault([...at, 'id'], 'ATTACHMENT_NOT_FOUND', `Attachment data not found: "${id}"`)
  }
  const added = uploads.map((file) => {
    const entry = about.get(file.index)
    const filename = typeof entry?.filename === 'string' ? entry.filename : file.filename
    return {
      filename: safeName(filename),
      contentType: file.contentType,
      bytes: file.bytes,
      description: typeof entry?.description === 'string' ? entry.description : undefined,
    }
  })
  const remaining = listed === undefined ? existingIds.length : remainingIds.length
  if (added.length + remaining > maxFiles)
    form.fault(['attachments'], 'BASE_TYPE_MAX_LENGTH', `Must be ${maxFiles} or fewer in length.`)
  return { added, remainingIds: listed === undefined ? undefined : remainingIds }
}

/** Replaces every character of a file's name except letters, digits, dots, dashes and underscores, as Discord does. */
function safeName(filename: string): string {
  return filename.replaceAll(/[^A-Za-z0-9._-]/g, '_') || 'file'
}
