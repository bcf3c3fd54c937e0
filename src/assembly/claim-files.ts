import { generateKeyPairSync } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatSats, type Msats, msats } from '../lib/money/amount.ts'
import { Problem } from '../lib/problem.ts'
import { InvalidClaims, readClaims, type SignedClaims, signerOf, writeClaims } from '../lib/proofs/claim-list.ts'

/** The data folder's file with the key that signs claim lists. */
const KEY_FILE = 'claims-key.pem'

/**
 * A written claim list. `key` is the signing key's fingerprint, which the operator publishes so that a successor can
 * compare it.
 */
export interface ClaimsWritten {
  readonly file: string
  readonly claims: number
  readonly amount: Msats
  readonly sats: string
  readonly key: string
}

/**
 * Ensures that this installation's key for claim lists (Ed25519, as PEM) exists: creates it for a book's first list,
 * and throws Problem if it is missing for a later list. A successor identifies all lists of a book by one key, and
 * would credit the lines of a list with another key a second time.
 */
export function ensureClaimsKey(dataFolder: string, { isFirst }: { readonly isFirst: boolean }): void {
  const path = join(dataFolder, KEY_FILE)
  if (existsSync(path)) return
  if (!isFirst) {
    throw new Problem(
      `This book already has a claim list, but the key that signs its lists is missing: ${path}. Put the key back, and run this again. If a new key signed the list, a successor would credit every line a second time. If the key is lost, the first list remains valid, and members can use /withdraw for sats that they received after it.`,
    )
  }
  const key = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' })
  writeFileSync(path, key, { mode: 0o600, flag: 'wx' })
}

/**
 * Writes a claim list, signed with this installation's key (`ensureClaimsKey`), to a file that must not exist yet: a
 * successor may already have an earlier list. Throws Problem if the file exists or cannot be written.
 */
export function writeClaimsFile(dataFolder: string, file: string, list: Omit<SignedClaims, 'signer'>): ClaimsWritten {
  const key = readFileSync(join(dataFolder, KEY_FILE), 'utf8')
  try {
    writeFileSync(file, writeClaims(list, key), { flag: 'wx' })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new Problem(`${file} already exists and was not overwritten. Choose another file.`)
    throw new Problem(`${file} cannot be written (${code}). Choose a file in a folder that you can write to.`)
  }
  const amount = msats(list.claims.reduce((sum, claim) => sum + claim.amount, 0n))
  return { file, claims: list.claims.length, amount, sats: formatSats(amount), key: signerOf(key) }
}

/**
 * Reads a claim list that was signed with the key whose fingerprint is `key`, and checks its proofs. Throws Problem if
 * the list cannot be read or trusted. If another key has signed the list or no key is given, the message contains the
 * signer's fingerprint.
 */
export function readClaimsFile(file: string, key: string | undefined): SignedClaims {
  const list = proven(file)
  const { signer, claims } = list
  if (signer === key) return list
  const compare = "Compare this key with the key that the other bot's operator has published"
  if (key === undefined) {
    throw new Problem(
      `The list has ${claims.length} claims and is signed with the key ${signer}. ${compare}, then run this again with --key ${signer}. Nothing was credited.`,
    )
  }
  throw new Problem(`The list is signed with the key ${signer}, not with ${key}. ${compare}. Nothing was credited.`)
}

function proven(file: string): SignedClaims {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    throw new Problem(
      `${file} cannot be read. Give the file with the claim list that you received from the other bot's operator.`,
    )
  }
  try {
    return readClaims(text)
  } catch (error) {
    if (!(error instanceof InvalidClaims)) throw error
    throw new Problem(
      `${file} cannot be trusted: ${error.message}. Nothing was credited. Ask the other bot's operator for the list again.`,
    )
  }
}
