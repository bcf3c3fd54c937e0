import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Entropy } from '../../../lib/entropy.ts'
import { whyFilesRefuse } from '../../../lib/file-trouble.ts'
import { Problem } from '../../../lib/problem.ts'

/** The name of the token's file, which is in the data folder and has mode 600. */
export const SANDBOX_TOKEN_FILE = 'sandbox-token'

/**
 * Returns the token that the sandbox's routes require. Only the sandbox's owner may have the token, because with it
 * anybody can spend the outside wallet's sats and make payments fail. The token is created at the first start. Throws
 * Problem if the file cannot be read or written.
 */
export function sandboxToken(dataFolder: string, entropy: Entropy): string {
  const file = join(dataFolder, SANDBOX_TOKEN_FILE)
  try {
    // `wx`: if two processes start at once, one creates the file and the other reads it.
    writeFileSync(file, `${entropy.bytes(32).toString('hex')}\n`, { mode: 0o600, flag: 'wx' })
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw unusable(file, error)
  }
  return storedToken(file)
}

function storedToken(file: string): string {
  let token: string
  try {
    token = readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw unusable(file, error)
  }
  if (/^[0-9a-f]{64}$/.test(token)) return token
  throw new Problem(`${file} does not hold a sandbox token. Remove the file: the next start creates another token.`)
}

function unusable(file: string, cause: unknown): Problem {
  const why = whyFilesRefuse(cause) ?? String(cause)
  return new Problem(`${file}, the token of the sandbox, cannot be used: ${why}.`, { cause })
}
