import type { Visitor } from './console-world.ts'
import type { Oddity, SoftAuthenticator } from './soft-authenticator.ts'

export const PAGE = '/console/passkeys'

interface Asked {
  readonly challenge: string
  readonly [more: string]: unknown
}

/** Returns the page's request to the browser's authenticator, and the form with which the answer is sent. */
export function askedIn(text: string): { readonly options: Asked; readonly form: string } {
  const json = /data-passkey="([^"]*)"/.exec(text)?.[1]?.replaceAll('&#34;', '"') ?? '{"get":{}}'
  const { get, create } = JSON.parse(json) as { get?: Asked; create?: Asked }
  const form = /data-passkey=.*?name="form" value="([^"]*)"/s.exec(text)?.[1] ?? ''
  return { options: (get ?? create) as Asked, form }
}

export async function askToAdd(visitor: Visitor) {
  const form = await visitor.token('passkey-new', PAGE)
  return await visitor.post('/console/passkey-new', { form, label: 'my phone' })
}

export async function add(visitor: Visitor, device: SoftAuthenticator, odd: Oddity = {}) {
  const { form, options } = askedIn((await askToAdd(visitor)).text)
  return await visitor.post('/console/passkey-add', { form, label: 'my phone', made: device.make(options, odd) })
}

export async function signIn(visitor: Visitor, device: SoftAuthenticator, odd: Oddity = {}) {
  const { options } = askedIn((await visitor.post('/console/passkey', {})).text)
  return await visitor.post('/console/passkey-sign-in', { answer: device.sign(options, odd) })
}
