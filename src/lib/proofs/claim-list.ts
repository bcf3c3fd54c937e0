import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import { z } from 'zod'
import { type Msats, parseWireMsats } from '../money/amount.ts'
import { printableId } from './printable-id.ts'

/** A sum that an ended bot owes to a member, or to a server's pool. */
export interface Claim {
  readonly id: string
  readonly kind: 'member' | 'pool'
  /** A Discord id of a person or of a server. */
  readonly owner: string
  readonly amount: Msats
}

/** A book's claims in their signed form. */
export interface SignedClaims {
  readonly windDown: string
  readonly network: string
  /** The fingerprint of the signing key, in hexadecimal, which the book's operator publishes. */
  readonly signer: string
  readonly madeAt: Date
  readonly claims: readonly Claim[]
}

/** The error for a list that proves nothing. The message explains why. */
export class InvalidClaims extends Error {
  override readonly name = 'InvalidClaims'
}

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-f]{${bytes * 2}}$`))

const shape = z.strictObject({
  kind: z.literal('satchel-claims'),
  version: z.literal(1),
  windDown: printableId,
  network: printableId,
  madeAt: z.iso.datetime(),
  totalMsats: z.string(),
  claims: z.array(
    z.strictObject({
      id: z.uuid(),
      kind: z.enum(['member', 'pool']),
      owner: printableId,
      amountMsats: z.string(),
      proof: hex(64),
    }),
  ),
  publicKey: hex(32),
  signature: hex(64),
})

/** The prefix of an Ed25519 public key's 32 bytes in DER form (RFC 8410). */
const SPKI_PREFIX = '302a300506032b6570032100'

/** Returns the fingerprint of a public key (32 bytes in hexadecimal). */
function fingerprintOf(publicKey: string): string {
  return createHash('sha256').update(Buffer.from(publicKey, 'hex')).digest('hex').slice(0, 32)
}

function publicKeyOf(privateKey: KeyObject): string {
  const der = createPublicKey(privateKey).export({ format: 'der', type: 'spki' })
  return der.toString('hex').slice(SPKI_PREFIX.length)
}

type Book = Pick<SignedClaims, 'windDown' | 'network'>

/** Returns the text that is signed for one claim. The signature proves this claim without the rest of the list. */
function textOfClaim({ windDown, network }: Book, { id, kind, owner, amount }: Claim): Buffer {
  return Buffer.from(JSON.stringify(['satchel-claim', 1, windDown, network, id, kind, owner, amount.toString()]))
}

/** Returns the text that is signed for the list. The signature proves that no claim was added or removed. */
function textOfList(book: Book & Pick<SignedClaims, 'madeAt' | 'claims'>): Buffer {
  const { windDown, network, madeAt, claims } = book
  const lines = createHash('sha256')
  for (const claim of claims) lines.update(createHash('sha256').update(textOfClaim(book, claim)).digest())
  const facts = ['satchel-claims', 1, windDown, network, madeAt.toISOString(), totalOf(claims).toString()]
  return Buffer.from(JSON.stringify([...facts, lines.digest('hex')]))
}

function totalOf(claims: readonly Claim[]): bigint {
  return claims.reduce((sum, { amount }) => sum + amount, 0n)
}

/**
 * Returns a list as text, with a proof for each claim and for the whole list. `key` is an Ed25519 private key as PEM.
 */
export function writeClaims(list: Omit<SignedClaims, 'signer'>, key: string): string {
  const privateKey = createPrivateKey(key)
  const proofOf = (text: Buffer) => sign(null, text, privateKey).toString('hex')
  const { windDown, network, madeAt } = list
  const claims = list.claims.map((claim) => {
    const { id, kind, owner, amount } = claim
    return { id, kind, owner, amountMsats: amount.toString(), proof: proofOf(textOfClaim(list, claim)) }
  })
  const content: z.infer<typeof shape> = {
    ...{ kind: 'satchel-claims', version: 1, windDown, network, madeAt: madeAt.toISOString() },
    totalMsats: totalOf(list.claims).toString(),
    claims,
    publicKey: publicKeyOf(privateKey),
    signature: proofOf(textOfList(list)),
  }
  return `${JSON.stringify(content, undefined, 1)}\n`
}

/** Returns the fingerprint of a PEM key, which is the `signer` that `readClaims` returns. */
export function signerOf(key: string): string {
  return fingerprintOf(publicKeyOf(createPrivateKey(key)))
}

/** Reads a list and checks all its proofs. Throws InvalidClaims. */
export function readClaims(text: string): SignedClaims {
  const read = shape.safeParse(parsed(text))
  if (!read.success) {
    const [issue] = read.error.issues
    // Zod quotes an unknown field's name, which could send anything to a terminal.
    const why = issue?.code === 'unrecognized_keys' ? 'a field that no claim list has' : issue?.message
    throw new InvalidClaims(`it is not a claim list (${issue?.path.join('.') || 'the file'}: ${why})`)
  }
  const { windDown, network, publicKey, signature, totalMsats } = read.data
  const key = createPublicKey({ key: Buffer.from(SPKI_PREFIX + publicKey, 'hex'), format: 'der', type: 'spki' })
  const proves = (text: Buffer, proof: string) => verify(null, text, key, Buffer.from(proof, 'hex'))
  const claims = read.data.claims.map(({ id, kind, owner, amountMsats, proof }) => {
    const amount = parseWireMsats(amountMsats)
    if (amount === undefined || amount === 0n) throw new InvalidClaims(`claim ${id} has no valid amount`)
    const claim = { id, kind, owner, amount }
    if (!proves(textOfClaim({ windDown, network }, claim), proof)) throw new InvalidClaims(`claim ${id} was changed`)
    return claim
  })
  const list = { windDown, network, madeAt: new Date(read.data.madeAt), claims }
  if (new Set(claims.map(({ id }) => id)).size !== claims.length) throw new InvalidClaims('a claim appears twice')
  if (totalOf(claims).toString() !== totalMsats || !proves(textOfList(list), signature)) {
    throw new InvalidClaims('claims were added or removed')
  }
  return { ...list, signer: fingerprintOf(publicKey) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new InvalidClaims('it is not JSON')
  }
}
