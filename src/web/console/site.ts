import type { OperatorSession } from '../../tipping/tipping.ts'
import type { SessionCookie } from '../session-cookie.ts'
import type { Console } from './console.ts'
import { createTranslator } from './i18n/translator.ts'

export const t = createTranslator('en')

/** The routes' dependencies. */
export interface Site {
  readonly parts: Console
  readonly cookie: SessionCookie
  /** Tells apart the browsers that are about to sign in with a passkey. */
  readonly passkeyCookie: SessionCookie
  /** Where browsers reach the routes, if known. */
  readonly publicUrl: string | undefined
}

/** A person who is signed in, with the session that proves it. */
export interface Visitor {
  readonly operator: OperatorSession
  readonly session: string
}
