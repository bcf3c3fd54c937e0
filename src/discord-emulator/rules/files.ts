import type { Form, JsonObject } from './form.ts'
import { requestTooLarge } from './refusal.ts'

/** Largest file without a boost: 10 MiB. */
export const maxFileBytes = 10 * 1024 * 1024
const maxFiles = 10

/** A file in the part `files[n]` of a multipart request. */
export interface UploadedFile {
  readonly index: number
  readonly filename: string
  readonly contentType: string
  readonly bytes: Buffer
}

/** A file that will become an attachment. */
export interface NewFile {
  readonly filename: string
  readonly contentType: string
  readonly bytes: Buffer
  readonly description: string | undefined
}

/** The files of a request: the new ones, and the old ones that stay (`undefined`: all). */
export interface FilePlan {
  readonly added: readonly NewFile[]
  readonly remainingIds: readonly string[] | undefined
}

/**
 * Matches the uploaded parts with `attachments`. A new file's `id` is its number n, an old file's its snowflake. On an
 * edit that lists attachments, old files that are not listed are dropped.
 * https://docs.discord.com/developers/reference#uploading-files
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

/** Cleans a file's name: Discord keeps only letters, digits, dots, dashes and underscores. */
function safeName(filename: string): string {
  return filename.replaceAll(/[^A-Za-z0-9._-]/g, '_') || 'file'
}
