import type { OperatorSession } from '../../tipping/tipping.ts'
import type { SessionCookie } from '../session-cookie.ts'
import type { Console } from './console.ts'
import { createTranslator } from './i18n/translator.ts'

export const t = createTranslator('en')

/** The routes' dependencies. */
export interface Site {
  readonly parts: Console
  readonly cookie: SessionCookie
  /** Tells a browser that is about to sign in with a passkey from others. */
  readonly passkeyCookie: SessionCookie
  /** Where browsers reach the routes, where known. */
  readonly publicUrl: string | undefined
}

/** Somebody who is signed in, with the session that proves it. */
export interface Visitor {
  readonly operator: OperatorSession
  readonly session: string
}
