import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Html } from '../../lib/web/html.ts'
import { type Operator, SESSION_LIFETIME_MS } from '../../tipping/tipping.ts'
import { formOf, sendPage } from '../forms.ts'
import { WrongForm } from './action.ts'
import { BY_PASSWORD, type Console, READER } from './console.ts'
import { drawFresh, drawRefused, drawSignIn } from './draw-sign-in.ts'
import { formNumber, newFormToken } from './form-tokens.ts'
import type { Viewer } from './frame.ts'
import { offerPasskey } from './offer-passkey.ts'
import { provePasskey } from './passkey-proof.ts'
import { type Site, t, type Visitor } from './site.ts'

/** The maximum age of a sign-in for an action that moves money, changes the books or hands out keys. */
const FRESH_MS = 5 * 60_000
const MINUTE_MS = 60_000

export async function visitorOf({ parts, cookie }: Site, request: FastifyRequest): Promise<Visitor | undefined> {
  const session = cookie.read(request)
  const operator = await parts.signIns().find(session)
  return operator === undefined || session === undefined ? undefined : { operator, session }
}

export function viewerOf({ parts }: Site, { operator, session }: Visitor): Viewer {
  const access = operator.id === READER.id ? 'reader' : 'operator'
  return { name: operator.name, access, t, newToken: () => newFormToken(session, parts.entropy) }
}

/** Draws the sign-in page. `problem` says why the last attempt failed. */
export async function signInPage({ parts }: Site, problem?: string): Promise<Html> {
  const hasPasskeys = (await parts.passkeys().list()).length > 0
  return drawSignIn(t, { hasPassword: parts.hasPassword, hasPasskeys, problem })
}

/** Returns whom this form's password signs in, or a sentence that says why the password is refused. */
export function enter(
  { lock, accessOf, logger }: Console,
  request: FastifyRequest,
): typeof BY_PASSWORD | typeof READER | string {
  const locked = () => t('signIn.locked', { count: Math.ceil(lock.waitMs(request.ip) / MINUTE_MS) })
  if (lock.waitMs(request.ip) > 0) return locked()
  const access = accessOf(formOf(request).get('password') ?? '')
  if (access !== undefined) {
    // Viewers must not get more guesses at the operators' password than others.
    if (access === 'operator') lock.noteRight(request.ip)
    return access === 'operator' ? BY_PASSWORD : READER
  }
  if (!lock.noteWrong(request.ip)) return t('signIn.wrong')
  logger.warn(
    { address: request.ip },
    'the password of the console was wrong too often, and is locked for that address',
  )
  return locked()
}

/** The action that a form asks for, and whether it needs a recent sign-in. */
export interface Asked {
  readonly name: string
  readonly fresh: boolean
}

/**
 * Checks a form before the console acts on it: its sender, its origin, the age of the sign-in, and that it was not sent
 * before. If a check fails, this function answers the request and resolves to undefined.
 */
export async function admit(
  site: Site,
  { name, fresh }: Asked,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Visitor | undefined> {
  const { parts } = site
  const refuse = (status: number, page: Html): undefined => {
    sendPage(reply.code(status), page)
  }
  const visitor = await visitorOf(site, request)
  if (visitor === undefined) return refuse(401, await signInPage(site, t('signIn.over')))
  const { session, operator } = visitor
  if (operator.id === READER.id) return refuse(403, drawRefused(t, t('refused.readOnly')))
  if (await isGone(parts, operator.id)) {
    await parts.signIns().signOut(session)
    return refuse(403, drawRefused(t, t('refused.noOperator')))
  }
  const form = formOf(request)
  const number = formNumber(session, form.get('form') ?? '')
  if (number === undefined) return refuse(403, drawRefused(t, t('refused.form')))
  const isOld = fresh && operator.ageMs >= FRESH_MS
  if (isOld) {
    const problem = await whyNotAgain(site, visitor, request)
    if (problem !== undefined) {
      const passkey = await offerPasskey(site, visitor, request, reply)
      const byPassword = operator.id === BY_PASSWORD.id
      return refuse(403, drawFresh(viewerOf(site, visitor), { action: name, form, byPassword, passkey, ...problem }))
    }
  }
  if (!(await parts.signIns().useForm(session, number))) return refuse(409, drawRefused(t, t('refused.sent')))
  if (!isOld) return visitor
  return { session: await beginSession(site, operator, request, reply), operator: { ...operator, ageMs: 0 } }
}

/**
 * Whether Discord says that a person is no longer an operator. While Discord does not answer, the person's sign-in
 * counts, which is at most an hour old.
 */
async function isGone({ isOperator, logger }: Console, operator: string): Promise<boolean> {
  if (operator === BY_PASSWORD.id) return false
  return await isOperator(operator).then(
    (is) => !is,
    (error: unknown) => {
      logger.warn({ err: error, operator }, 'Discord did not say whether somebody is an operator')
      return false
    },
  )
}

/**
 * Returns why this form is not a new sign-in by the same operator; undefined if it is. The result contains a sentence
 * only if the form tried to sign somebody in.
 */
async function whyNotAgain(
  site: Site,
  { operator, session }: Visitor,
  request: FastifyRequest,
): Promise<{ readonly problem?: string } | undefined> {
  const form = formOf(request)
  const answer = form.get('answer')
  if (answer !== null) {
    return await provePasskey(site, request, answer, { browser: session, operator: operator.id }).then(
      () => undefined,
      (error: unknown) => ({ problem: whyRefused(error) }),
    )
  }
  if (operator.id !== BY_PASSWORD.id || !form.has('password')) return {}
  const entered = enter(site.parts, request)
  if (typeof entered === 'string') return { problem: entered }
  return entered === READER ? { problem: t('signIn.wrong') } : undefined
}

/** Describes in words why a form is refused. Rethrows errors of other kinds. */
export function whyRefused(error: unknown): string {
  if (error instanceof WrongForm) return t(error.key, error.facts)
  throw error
}

/**
 * Begins a session for a person who has just proven their identity. An earlier session of this browser ends, so nobody
 * can plant a session that stays.
 */
export async function beginSession(
  { parts, cookie }: Site,
  operator: Operator,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const session = await parts.signIns().begin(operator)
  await parts.signIns().signOut(cookie.read(request))
  cookie.write(reply, session, SESSION_LIFETIME_MS / 1_000)
  return session
}
