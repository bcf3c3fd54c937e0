import type { OperatorSession } from '../../tipping/tipping.ts'
import type { SessionCookie } from '../session-cookie.ts'
import type { Console } from './console.ts'
import { createTranslator } from './i18n/translator.ts'

export const t = createTranslator('en')

/** The dependencies of the console's routes. */
export interface Site {
  readonly parts: Console
  readonly cookie: SessionCookie
  /** The cookie that identifies a browser while it signs in with a passkey. */
  readonly passkeyCookie: SessionCookie
  /** The address at which browsers reach the routes, if it is known. */
  readonly publicUrl: string | undefined
}

/** A person who is signed in, with the session that proves it. */
export interface Visitor {
  readonly operator: OperatorSession
  readonly session: string
}
