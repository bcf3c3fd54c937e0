import { CommandRefusal } from '../refusals/command-refusal.ts'
import type { UploadedFile } from './command.ts'

const TIMEOUT_MS = 10_000

/**
 * Downloads a file that came with a command, from the address that Discord reported. Throws CommandRefusal if the file
 * is larger than `most` bytes, or if the download fails.
 */
export async function readUpload({ url, size }: UploadedFile, most: number): Promise<Uint8Array> {
  if (size > most) throw new CommandRefusal('commandRefusals.upload-too-large', { most: Math.floor(most / 1_024) })
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    if (!response.ok) throw new Error(`Discord answered ${response.status}`)
    return new Uint8Array(await response.arrayBuffer())
  } catch {
    throw new CommandRefusal('commandRefusals.upload-unread')
  }
}
