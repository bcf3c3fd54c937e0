import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { FastifyRequest } from 'fastify'
import { isSameSecret } from '../../lib/http/is-same-secret.ts'
import type { NewPasskey, Operator, OperatorPasskey } from '../../tipping/tipping.ts'
import { type Sender, WrongForm } from './action.ts'
import { BY_PASSWORD } from './console.ts'
import { ALGORITHMS } from './passkey-options.ts'
import { httpsOrigin, placeOf, type RelyingParty } from './relying-party.ts'
import type { Site } from './site.ts'

/** Returns the address at which this browser uses the console. Throws WrongForm if passkeys do not work there. */
export function mustHavePlace(site: Site, request: FastifyRequest): RelyingParty {
  const place = placeOf(request, site.publicUrl)
  if (place !== undefined) return place
  const origin = httpsOrigin(site.publicUrl)
  throw origin === undefined
    ? new WrongForm('passkeys.refused.placeHere')
    : new WrongForm('passkeys.refused.placePublic', { origin })
}

/**
 * Reads a browser's answer about a passkey, as the credential's `toJSON` writes it. Checks only its shape, because the
 * library checks the contents. Throws WrongForm for a text of any other shape.
 */
function readAnswer(text: string): AuthenticationResponseJSON & RegistrationResponseJSON {
  try {
    const { id, rawId, type, response } = JSON.parse(text)
    if (typeof id === 'string' && typeof response === 'object' && response !== null)
      return { id, rawId, type, response, clientExtensionResults: {} }
  } catch {
    // The text is not JSON, or not a JSON object.
  }
  throw new WrongForm('passkeys.refused.unreadable')
}

/** Who must sign a challenge. */
export interface Signing {
  /** The owner of the challenge: a session, or another secret of this browser. */
  readonly browser: string
  /** The only person whose passkey counts. Undefined if any operator's passkey counts. */
  readonly operator?: string
}

/**
 * Finds the passkey that has just signed this browser's challenge in a person's presence. Throws WrongForm for an
 * invalid signature, and for a passkey that no longer signs its operator in.
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
  if (passkey === undefined) throw new WrongForm('passkeys.refused.unknown')
  if (signing.operator !== undefined && passkey.operator.id !== signing.operator)
    throw new WrongForm('passkeys.refused.other')
  if (passkey.origin !== place.origin) throw new WrongForm('passkeys.refused.origin', { origin: passkey.origin })
  const counter = await signedBy(site, passkey, place, answer, signing.browser)
  if (!(await parts.passkeys().use(passkey.id, counter))) throw new WrongForm('passkeys.refused.copied')
  await mustSignIn(site, passkey)
  return passkey.operator
}

/**
 * Checks that this passkey has signed this browser's challenge, and returns the authenticator's counter. Throws
 * WrongForm if the passkey has not.
 */
async function signedBy(
  { parts }: Site,
  { id, publicKey }: OperatorPasskey,
  { origin, rpId }: RelyingParty,
  answer: AuthenticationResponseJSON,
  browser: string,
): Promise<number> {
  const { verifyAuthenticationResponse } = await library()
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: answer,
      expectedChallenge: (challenge) => parts.signIns().useChallenge(browser, challenge),
      ...{ expectedOrigin: origin, expectedRPID: rpId, requireUserVerification: true },
      // The library compares counters before it checks signatures, so strangers could cause false alerts. The book
      // compares the counters.
      credential: { id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter: 0 },
    })
    if (verified) return authenticationInfo.newCounter
    parts.logger.info({ passkey: id }, 'the signature of a passkey was wrong')
  } catch (error) {
    parts.logger.info({ passkey: id, why: (error as Error).message }, 'a passkey was refused')
  }
  throw new WrongForm('passkeys.refused.wrong')
}

/** Throws WrongForm if a passkey no longer signs its operator in. */
async function mustSignIn({ parts }: Site, { id, operator, isConfirmed, seal }: OperatorPasskey): Promise<void> {
  if (!isConfirmed) throw new WrongForm('passkeys.refused.restored')
  if (operator.id === BY_PASSWORD.id) {
    const now = await parts.sealOf(id)
    if (now === undefined || seal === undefined || !isSameSecret(seal, now))
      throw new WrongForm('passkeys.refused.password')
    return
  }
  const isOperator = await parts.isOperator(operator.id).catch((error: unknown) => {
    parts.logger.warn({ err: error, operator: operator.id }, 'Discord did not say whether somebody is an operator')
    throw new WrongForm('passkeys.refused.discord')
  })
  if (!isOperator) throw new WrongForm('passkeys.refused.noOperator')
}

/**
 * Reads the passkey that a browser has just made for an operator in their session. Throws WrongForm if the browser's
 * answer does not prove it.
 */
export async function readNewPasskey(
  { site, request, visitor: { operator, session } }: Sender,
  text: string,
  label: string,
): Promise<NewPasskey> {
  const { parts } = site
  const { origin, rpId } = mustHavePlace(site, request)
  const answer = readAnswer(text)
  const { verifyRegistrationResponse } = await library()
  const made = await verifyRegistrationResponse({
    response: answer,
    expectedChallenge: (challenge) => parts.signIns().useChallenge(session, challenge),
    ...{ expectedOrigin: origin, expectedRPID: rpId, requireUserVerification: true },
    supportedAlgorithmIDs: ALGORITHMS,
  }).catch((error: unknown) => {
    parts.logger.info({ operator: operator.id, why: (error as Error).message }, 'a new passkey was refused')
    return undefined
  })
  if (!made?.verified) throw new WrongForm('passkeys.refused.wrong')
  const { id, publicKey, counter } = made.registrationInfo.credential
  const seal = operator.id === BY_PASSWORD.id ? await parts.sealOf(id) : undefined
  const key = Buffer.from(publicKey).toString('base64url')
  return { id, operator: { id: operator.id, name: operator.name }, label, publicKey: key, counter, origin, seal }
}

/**
 * Loads the library when the first passkey is used, because the library reads the certificates of all manufacturers and
 * needs about 30 MB of memory.
 */
function library() {
  return import('@simplewebauthn/server')
}
