import { CHALLENGE_LIFETIME_MS, type Operator, type OperatorPasskey } from '../../tipping/tipping.ts'
import type { RelyingParty } from './relying-party.ts'

/** EdDSA, ECDSA with P-256 and RSA: algorithms that devices offer and the library reads (COSE). */
export const ALGORITHMS = [-8, -7, -257]

/**
 * A request to a browser, as `PublicKeyCredential.parseRequestOptionsFromJSON` and `parseCreationOptionsFromJSON` read
 * it.
 */
export type PasskeyOptions = { readonly get: object } | { readonly create: object }

/**
 * Builds the request for a signature by one of these passkeys or, if there are none, by any passkey of this address.
 */
export function signOptions(
  { rpId }: RelyingParty,
  challenge: string,
  passkeys: readonly OperatorPasskey[] = [],
): PasskeyOptions {
  return {
    get: {
      ...{ challenge, rpId, timeout: CHALLENGE_LIFETIME_MS },
      userVerification: 'required',
      allowCredentials: passkeys.map(({ id }) => ({ type: 'public-key', id })),
    },
  }
}

/**
 * Builds the request for a new passkey on a device that has none of `passkeys`. `user` is the passkey's base64url
 * handle, which identifies nobody.
 */
export function newOptions(
  { rpId }: RelyingParty,
  {
    challenge,
    user,
    operator,
    passkeys,
  }: {
    readonly challenge: string
    readonly user: string
    readonly operator: Operator
    readonly passkeys: readonly OperatorPasskey[]
  },
): PasskeyOptions {
  return {
    create: {
      ...{ challenge, timeout: CHALLENGE_LIFETIME_MS, attestation: 'none' },
      rp: { id: rpId, name: 'Satchel' },
      user: { id: user, name: operator.name, displayName: operator.name },
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
      excludeCredentials: passkeys.map(({ id }) => ({ type: 'public-key', id })),
      // The device asks for a finger or a PIN and stores the owner, so nobody types a name to sign in.
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    },
  }
}
