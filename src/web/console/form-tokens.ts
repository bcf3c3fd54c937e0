import { createHmac } from 'node:crypto'
import { type Entropy, token } from '../../lib/entropy.ts'
import { isSameSecret } from '../../lib/http/is-same-secret.ts'

/**
 * Makes a token that proves that a form was drawn for this session. It consists of the form's number and a code that
 * nobody can compute without the session's secret.
 */
export function newFormToken(session: string, entropy: Entropy): string {
  const number = token(entropy)
  return `${number}.${sealOf(session, number)}`
}

/** Returns the number of a form drawn for this session; undefined for any other form. */
export function formNumber(session: string, given: string): string | undefined {
  const [number = '', seal = ''] = given.split('.')
  return number !== '' && isSameSecret(seal, sealOf(session, number)) ? number : undefined
}

function sealOf(session: string, number: string): string {
  return createHmac('sha256', session).update(`console form ${number}`).digest('base64url')
}
