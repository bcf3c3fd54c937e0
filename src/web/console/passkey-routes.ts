import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { token } from '../../lib/entropy.ts'
import { HttpProblem } from '../../lib/http/http-server.ts'
import { createTokenBuckets } from '../../lib/http/token-buckets.ts'
import { CHALLENGE_LIFETIME_MS } from '../../tipping/tipping.ts'
import { formOf, sendPage } from '../forms.ts'
import { CONSOLE } from '../operators-page/routes.ts'
import { admit, beginSession, signInPage, viewerOf, whyRefused } from './admission.ts'
import { drawNewPasskey, drawPasskeySignIn, drawPasskeys } from './draw-passkeys.ts'
import type { Outcome } from './frame.ts'
import { labelIn } from './passkey-actions.ts'
import { PASSKEY_POLICY } from './passkey-form.ts'
import { newOptions, signOptions } from './passkey-options.ts'
import { mustHavePlace, provePasskey } from './passkey-proof.ts'
import { httpsOrigin } from './relying-party.ts'
import { type Site, t, type Visitor } from './site.ts'

/**
 * The limit for all visitors without a session together. Each challenge is written into the book, so strangers may
 * cause only a few.
 */
const CHALLENGES_PER_SECOND = 5

/** Adds the routes on which operators sign in with a passkey, and begin to create a passkey. */
export function addPasskeyRoutes(routes: FastifyInstance, site: Site): void {
  const buckets = createTokenBuckets(site.parts.clock, CHALLENGES_PER_SECOND, CHALLENGES_PER_SECOND * 10)
  routes.post(`${CONSOLE}/passkey`, (request, reply) => {
    const wait = buckets.take('all')
    if (wait > 0) throw new HttpProblem(429, 'rate_limited', t('passkeys.refused.busy'), { 'retry-after': `${wait}` })
    return challenge(site, request, reply)
  })
  routes.post(`${CONSOLE}/passkey-sign-in`, (request, reply) => signIn(site, request, reply))
  routes.post(`${CONSOLE}/passkey-new`, (request, reply) => begin(site, request, reply))
}

export async function passkeysPage(site: Site, visitor: Visitor, outcome: Outcome) {
  const passkeys = await site.parts.passkeys().list()
  const [viewer, origin] = [viewerOf(site, visitor), httpsOrigin(site.publicUrl)]
  return drawPasskeys({ viewer, operator: visitor.operator.id, passkeys, origin, ...outcome })
}

/** Makes a browser without a session ask for a passkey. */
async function challenge(site: Site, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { parts, passkeyCookie } = site
  try {
    const place = mustHavePlace(site, request)
    const browser = token(parts.entropy)
    const options = signOptions(place, await parts.signIns().challenge(browser))
    passkeyCookie.write(reply, browser, CHALLENGE_LIFETIME_MS / 1_000)
    reply.header('content-security-policy', PASSKEY_POLICY)
    return sendPage(reply, drawPasskeySignIn(t, options))
  } catch (error) {
    return sendPage(reply.code(422), await signInPage(site, whyRefused(error)))
  }
}

async function signIn(site: Site, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { parts, passkeyCookie } = site
  try {
    const browser = passkeyCookie.read(request) ?? ''
    const operator = await provePasskey(site, request, formOf(request).get('answer') ?? '', { browser })
    await beginSession(site, operator, request, reply)
    passkeyCookie.write(reply, '', 0)
    parts.logger.info({ operator: operator.id, how: 'passkey' }, 'an operator signed in to the console')
    return reply.redirect(CONSOLE, 303)
  } catch (error) {
    return sendPage(reply.code(403), await signInPage(site, whyRefused(error)))
  }
}

/** Makes an operator's browser create a passkey. */
async function begin(site: Site, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const visitor = await admit(site, { name: 'passkey-new', fresh: true }, request, reply)
  if (visitor === undefined) return reply
  const { parts } = site
  const { operator, session } = visitor
  const form = formOf(request)
  try {
    const place = mustHavePlace(site, request)
    const passkeys = (await parts.passkeys().list()).filter(({ origin }) => origin === place.origin)
    const [user, toSign] = [token(parts.entropy), await parts.signIns().challenge(session)]
    const options = newOptions(place, { challenge: toSign, user, operator, passkeys })
    reply.header('content-security-policy', PASSKEY_POLICY)
    return sendPage(reply, drawNewPasskey(viewerOf(site, visitor), { label: labelIn(form), options }))
  } catch (error) {
    const refused = { action: 'passkey-new', form, problem: whyRefused(error) }
    return sendPage(reply.code(422), await passkeysPage(site, visitor, { said: undefined, refused }))
  }
}
