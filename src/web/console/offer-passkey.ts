import type { FastifyReply, FastifyRequest } from 'fastify'
import { PASSKEY_POLICY } from './passkey-form.ts'
import { type PasskeyOptions, signOptions } from './passkey-options.ts'
import { placeOf } from './relying-party.ts'
import type { Site, Visitor } from './site.ts'

/**
 * Builds the request to an operator's browser for a new proof of identity; undefined if the operator has no passkey for
 * this address.
 */
export async function offerPasskey(
  { parts, publicUrl }: Site,
  { operator, session }: Visitor,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<PasskeyOptions | undefined> {
  const place = placeOf(request, publicUrl)
  if (place === undefined) return undefined
  const own = (await parts.passkeys().list()).filter(
    (passkey) => passkey.operator.id === operator.id && passkey.origin === place.origin && passkey.isConfirmed,
  )
  if (own.length === 0) return undefined
  reply.header('content-security-policy', PASSKEY_POLICY)
  return signOptions(place, await parts.signIns().challenge(session), own)
}
