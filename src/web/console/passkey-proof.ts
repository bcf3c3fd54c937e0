import type { FastifyRequest } from 'fastify'
import { isSameSecret } from '../../lib/http/is-same-secret.ts'
import type { NewPasskey, Operator, OperatorPasskey } from '../../tipping/tipping.ts'
import { BY_PASSWORD } from './console.ts'
import { ALGORITHMS } from './passkey-options.ts'
import { httpsOrigin, placeOf, type RelyingParty } from './relying-party.ts'
import type { Site } from './site.ts'
import type { Key } from './texts.ts'

/** Why a passkey is not taken. */
export class NotTaken extends Error {
  readonly key: Key
  readonly facts: Readonly<Record<string, string>>

  constructor(key: Key, facts: Readonly<Record<string, string>> = {}) {
    super(key)
    this.key = key
    this.facts = facts
  }
}

/** Where this browser is. Throws NotTaken where passkeys do not work there. */
export function mustHavePlace(site: Site, request: FastifyRequest): RelyingParty {
  const place = placeOf(request, site.publicUrl)
  if (place !== undefined) return place
  const origin = httpsOrigin(site.publicUrl)
  throw origin === undefined
    ? new NotTaken('passkeys.refused.placeHere')
    : new NotTaken('passkeys.refused.placePublic', { origin })
}

/** What a browser says of a passkey, as `toJSON` of its credential writes it. Throws NotTaken for anything else. */
interface CredentialJson {
  readonly id: string
  readonly rawId: string
  readonly type: 'public-key'
  readonly clientExtensionResults: Record<string, never>
  readonly response: Readonly<Record<string, unknown>>
}

function readAnswer(text: string): CredentialJson {
  try {
    const { id, rawId, type, response } = JSON.parse(text) as Record<string, unknown>
    if (typeof id === 'string' && typeof response === 'object' && response !== null)
      return { id, rawId, type, response, clientExtensionResults: {} } as CredentialJson
  } catch {
    // It is no JSON, or none of an object.
  }
  throw new NotTaken('passkeys.refused.unreadable')
}

/** Whose signature is asked for. */
export interface Signing {
  /** What the challenge was made for: a session, or another secret of this browser. */
  readonly browser: string
  /** The only one whose passkey counts; undefined: any operator's does. */
  readonly operator?: string
}

/**
 * Whose passkey has signed the challenge of this browser, a moment ago and in a person's presence. Throws NotTaken for a signature that
 * proves nothing, and for a passkey that signs nobody in any more.
 */
export async function provePasskey(
  site: Site,
  request: FastifyRequest,
  text: string,
  signing: Signing,
): Promise<Operator> {
  const { parts } = site
  const place = mustHavePlace(site, request)
  const answer = readAnswer(text)
  const passkey = await parts.passkeys().find(answer.id)
  if (passkey === undefined) throw new NotTaken('passkeys.refused.unknown')
  if (signing.operator !== undefined && passkey.operator.id !== signing.operator)
    throw new NotTaken('passkeys.refused.other')
  if (passkey.origin !== place.origin) throw new NotTaken('passkeys.refused.origin', { origin: passkey.origin })
  const counter = await signedBy(site, passkey, place, answer, signing.browser)
  if (!(await parts.passkeys().use(passkey.id, counter))) throw new NotTaken('passkeys.refused.copied')
  await mustCount(site, passkey)
  return passkey.operator
}

/** The authenticator's counter. Throws NotTaken where the signature is not that of this passkey, for this browser, here and now. */
async function signedBy(
  { parts }: Site,
  { id, publicKey }: OperatorPasskey,
  { origin, rpId }: RelyingParty,
  answer: CredentialJson,
  browser: string,
): Promise<number> {
  const { verifyAuthenticationResponse } = await library()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answer as unknown as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
      expectedChallenge: (challenge) => parts.signIns().useChallenge(browser, challenge),
      ...{ expectedOrigin: origin, expectedRPID: rpId, requireUserVerification: true },
      // The library judges counters before signatures, and strangers could have operators told lies. The book judges them.
      credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter: 0 },
    })
    if (verified) return authenticationInfo.newCounter
    parts.logger.info({ passkey: id }, 'the signature of a passkey was wrong')
  } catch (error) {
    parts.logger.info({ passkey: id, why: (error as Error).message }, 'a passkey was refused')
  }
  throw new NotTaken('passkeys.refused.wrong')
}

/** Throws NotTaken where a passkey signs its operator in no more. */
async function mustCount({ parts }: Site, { id, operator, isConfirmed, seal }: OperatorPasskey): Promise<void> {
  if (!isConfirmed) throw new NotTaken('passkeys.refused.restored')
  if (operator.id === BY_PASSWORD.id) {
    const now = await parts.sealOf(id)
    if (now === undefined || seal === undefined || !isSameSecret(seal, now))
      throw new NotTaken('passkeys.refused.password')
    return
  }
  const isOperator = await parts.isOperator(operator.id).catch((error: unknown) => {
    parts.logger.warn({ err: error, operator: operator.id }, 'Discord did not say whether somebody is an operator')
    throw new NotTaken('passkeys.refused.discord')
  })
  if (!isOperator) throw new NotTaken('passkeys.refused.noOperator')
}

/** The passkey that a browser has just made for an operator, in their session. Throws NotTaken. */
export async function readNewPasskey(
  site: Site,
  request: FastifyRequest,
  text: string,
  { operator, session, label }: { readonly operator: Operator; readonly session: string; readonly label: string },
): Promise<NewPasskey> {
  const { parts } = site
  const { origin, rpId } = mustHavePlace(site, request)
  const answer = readAnswer(text)
  const { verifyRegistrationResponse } = await library()
  const made = await verifyRegistrationResponse({
    response: answer as unknown as Parameters<typeof verifyRegistrationResponse>[0]['response'],
    expectedChallenge: (challenge) => parts.signIns().useChallenge(session, challenge),
    ...{ expectedOrigin: origin, expectedRPID: rpId, requireUserVerification: true },
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch((error: unknown) => {
    parts.logger.info({ operator: operator.id, why: (error as Error).message }, 'a new passkey was refused')
    return undefined
  })
  if (!made?.verified) throw new NotTaken('passkeys.refused.wrong')
  const { id, publicKey, counter } = made.registrationInfo.credential
  const seal = operator.id === BY_PASSWORD.id ? await parts.sealOf(id) : undefined
  const key = Buffer.from(publicKey).toString('base64url')
  return { id, operator: { id: operator.id, name: operator.name }, label, publicKey: key, counter, origin, seal }
}

/** Read when the first passkey is used: it reads certificates of all makers, and takes some 30 MB. */
function library() {
  return import('@simplewebauthn/server')
}
