import type { UploadedFile } from '../rules/files.ts'
import { type FormFault, invalidForm, invalidJson } from '../rules/refusal.ts'

/** A request's parsed body: the JSON, and the files that were sent with it. */
export interface RequestBody {
  readonly json: unknown
  readonly files: readonly UploadedFile[]
}

/** Parses JSON. Throws 50109 if it is invalid. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidJson()
  }
}

/**
 * Reads `payload_json` and `files[n]` of a multipart request. Throws 50035 if the body is invalid, and 50109 if its
 * JSON is.
 */
export async function parseMultipart(contentType: string, bytes: Buffer): Promise<RequestBody> {
  const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } })
    .formData()
    .catch(() => {
      throw invalidForm([fault('_', 'The multipart body cannot be read.')])
    })
  let json: unknown = {}
  const files: UploadedFile[] = []
  for (const [name, value] of form) {
    if (typeof value === 'string') {
      if (name === 'payload_json') json = parseJson(value)
      continue
    }
    const index = /^files?\[(\d+)\]$/.exec(name)?.[1]
    if (index === undefined) throw invalidForm([fault(name, 'Files are named files[n].')])
    files.push({
      index: Number(index),
      filename: value.name,
      contentType: value.type === '' ? 'application/octet-stream' : value.type,
      bytes: Buffer.from(await value.arrayBuffer()),
    })
  }
  return { json, files }
}

function fault(path: string, message: string): FormFault {
  return { path: [path], code: 'BASE_TYPE_BAD_VALUE', message }
}
