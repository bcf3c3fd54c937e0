import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { HttpProblem } from '../../lib/http/http-server.ts'
import { Problem } from '../../lib/problem.ts'
import type { Html } from '../../lib/web/html.ts'
import { TippingRefusal } from '../../tipping/tipping.ts'
import { formOf, readForms, refuseForeign, sendPage } from '../forms.ts'
import { mentionedIn } from '../operators-page/figures.ts'
import { CONSOLE, FOREIGN_FORM } from '../operators-page/routes.ts'
import { keepPrivate } from '../private-pages.ts'
import { sessionCookie } from '../session-cookie.ts'
import type { Action, Part } from './action.ts'
import { ACTIONS } from './actions.ts'
import { admit, beginSession, enter, signInPage, viewerOf, visitorOf, whyRefused } from './admission.ts'
import type { Console } from './console.ts'
import { drawBackup } from './draw-backup.ts'
import { drawHome } from './draw-home.ts'
import { drawLog } from './draw-log.ts'
import { drawNotFound } from './draw-not-found.ts'
import { drawPools } from './draw-pools.ts'
import { drawRefused } from './draw-sign-in.ts'
import { CONSOLE_POLICY, ONCE_POLICY, type Outcome } from './frame.ts'
import type { Key } from './i18n/translator.ts'
import { namesOf } from './names.ts'
import { addPasskeyRoutes, passkeysPage } from './passkey-routes.ts'
import { servicePage } from './service-page.ts'
import { settingsPage, settingsWait } from './settings-page.ts'
import { type Site, t, type Visitor } from './site.ts'

/** The limit for one IP address. */
const REQUESTS_PER_SECOND = 2
/** Large enough for the longest form, which is a browser's answer about a new passkey. */
const MAX_FORM_BYTES = 16_384
const MAX_PROPOSALS = 50
const MAX_POOLS = 50
const SAID = /^[a-z-]{1,30}$/

/**
 * Adds `/console`, which lists what needs operators, with forms that act on it. `publicUrl` is where browsers reach
 * these routes, if known.
 */
export function addConsole(app: FastifyInstance, parts: Console, publicUrl: string | undefined): void {
  const cookie = sessionCookie(publicUrl)
  const site: Site = { parts, cookie, passkeyCookie: sessionCookie(publicUrl, 'passkey'), publicUrl }
  app.register(async (routes) => {
    readForms(routes, MAX_FORM_BYTES)
    keepPrivate(routes, { policy: CONSOLE_POLICY, requestsPerSecond: REQUESTS_PER_SECOND, clock: parts.clock })
    routes.addHook('onRequest', async (request) => {
      if (request.method === 'POST') refuseForeign(request, publicUrl, FOREIGN_FORM)
    })
    // Answers people with a page. The server answers errors that are not our refusals.
    routes.setErrorHandler((error, _request, reply) => {
      if (!(error instanceof HttpProblem)) throw error
      return sendPage(reply.code(error.status).headers(error.headers), drawRefused(t, error.message))
    })
    const page = (
      path: string,
      draw: (visitor: Visitor, request: FastifyRequest) => Html | Promise<Html>,
      status = 200,
    ) =>
      routes.get(path, { exposeHeadRoute: false }, async (request, reply) => {
        const visitor = await visitorOf(site, request)
        if (visitor === undefined) return sendPage(reply.code(401), await signInPage(site))
        return sendPage(reply.code(status), await draw(visitor, request))
      })
    for (const [path, draw] of Object.entries(PARTS))
      page(path, (visitor, { query }) => draw(site, visitor, { said: saidIn(query), refused: undefined }, query))
    page(`${CONSOLE}/backup`, (visitor) => drawBackup(viewerOf(site, visitor), parts.backUp !== undefined))
    page(`${CONSOLE}/pools`, (visitor) => pools(site, visitor))
    page(`${CONSOLE}/log`, (visitor, { query }) => log(site, visitor, query))
    page(`${CONSOLE}/*`, (visitor) => drawNotFound(viewerOf(site, visitor)), 404)
    routes.post(`${CONSOLE}/backup`, (request, reply) => download(site, request, reply))
    routes.post(`${CONSOLE}/sign-in`, (request, reply) => signIn(site, request, reply))
    addPasskeyRoutes(routes, site)
    for (const [name, action] of Object.entries(ACTIONS)) {
      routes.post(`${CONSOLE}/${name}`, (request, reply) => take(site, { name, action }, request, reply))
    }
  })
}

/** The functions that draw the parts with forms, each with the result of its last form. */
const PARTS: Readonly<
  Record<Part, (site: Site, visitor: Visitor, outcome: Outcome, query?: unknown) => Promise<Html>>
> = {
  '/console': home,
  '/console/passkeys': passkeysPage,
  '/console/service': servicePage,
  '/console/settings': settingsPage,
}

function saidIn(query: unknown): Key | undefined {
  const { said } = query as { said?: unknown }
  return typeof said === 'string' && SAID.test(said) && t.has(`said.${said}`) ? (`said.${said}` as Key) : undefined
}

async function home(site: Site, visitor: Visitor, outcome: Outcome): Promise<Html> {
  const { figures, administration, isAlone, clock } = site.parts
  const [now, proposals] = await Promise.all([figures(), administration().proposals(MAX_PROPOSALS)])
  const people = [
    ...now.bot.unknown.flatMap(({ member, proposal }) => [member, proposal?.by]),
    ...proposals.flatMap((proposal) => [proposal.by, 'booking' in proposal ? proposal.booking.member : undefined]),
  ]
  return drawHome({
    named: await namesOf(site, people),
    ...{ viewer: viewerOf(site, visitor), operator: visitor.operator.id, figures: now, proposals, isAlone },
    settingsWait: settingsWait(site),
    ...outcome,
    now: clock.now(),
  })
}

async function log(site: Site, visitor: Visitor, query: unknown): Promise<Html> {
  const lines = site.parts.log?.()
  const named = await namesOf(site, mentionedIn((lines ?? []).join('\n')))
  return drawLog({ viewer: viewerOf(site, visitor), lines, named, query })
}

async function pools(site: Site, visitor: Visitor): Promise<Html> {
  const { administration, serverName, roleName, testMoney, clock } = site.parts
  const list = await administration().pools(MAX_POOLS)
  const people = list.flatMap(({ awaited, rules, schedules }) => [
    ...awaited.map(({ requester }) => requester),
    ...[...rules, ...schedules].map(({ owner }) => owner),
  ])
  const about = { serverName, roleName, named: await namesOf(site, people), testMoney: testMoney(), now: clock.now() }
  return drawPools({ viewer: viewerOf(site, visitor), pools: list, ...about })
}

async function signIn(site: Site, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { parts } = site
  const access = enter(parts, request)
  if (typeof access !== 'object') return sendPage(reply.code(403), await signInPage(site, access))
  await beginSession(site, access, request, reply)
  parts.logger.info({ operator: access.id, how: 'password' }, 'an operator signed in to the console')
  return reply.redirect(CONSOLE, 303)
}

interface NamedAction {
  readonly name: string
  readonly action: Action
}

async function take(
  site: Site,
  { name, action }: NamedAction,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { parts } = site
  const visitor = await admit(site, { name, fresh: action.fresh }, request, reply)
  if (visitor === undefined) return reply
  const [form, operator, page] = [formOf(request), visitor.operator.id, action.page ?? CONSOLE] as const
  try {
    const done = await action.run(parts, form, operator, { site, visitor, request })
    parts.logger.info({ operator, action: name, how: 'console' }, 'an operator used the console')
    if (typeof done === 'string') return reply.redirect(`${page}?said=${done.slice('said.'.length)}`, 303)
    if (done.once.length > 0) reply.header('content-security-policy', ONCE_POLICY)
    return sendPage(reply, await PARTS[page](site, visitor, { ...done, refused: undefined }))
  } catch (error) {
    const problem = problemOf(parts, error)
    parts.logger.info({ operator, action: name, how: 'console', problem }, 'the console refused an operator')
    const refused = { action: name, form, problem }
    return sendPage(reply.code(422), await PARTS[page](site, visitor, { said: undefined, refused }))
  }
}

/** Makes a backup and sends it piece by piece. */
async function download(site: Site, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { parts } = site
  const visitor = await admit(site, { name: 'backup', fresh: true }, request, reply)
  if (visitor === undefined) return reply
  const operator = visitor.operator.id
  try {
    if (parts.backUp === undefined) throw new Problem(t('backup.elsewhere'))
    const { fileName, pieces, end } = await parts.backUp()
    // The reader may have gone away while the backup was made.
    if (reply.raw.destroyed) end()
    else reply.raw.once('close', end)
    // If nobody can be told, no key leaves.
    await parts.administration().tellOfOperator({ operator, did: 'downloaded a backup in the console' })
    parts.logger.info({ operator, action: 'backup', how: 'console' }, 'an operator downloads a backup')
    return reply
      .type('application/x-tar')
      .header('content-disposition', `attachment; filename="${fileName}"`)
      .send(Readable.from(pieces, { objectMode: false }))
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return sendPage(reply.code(422), drawBackup(viewerOf(site, visitor), parts.backUp !== undefined, error.message))
  }
}

function problemOf({ inWords }: Console, error: unknown): string {
  if (error instanceof TippingRefusal) return inWords(error)
  if (error instanceof Problem) return error.message
  return whyRefused(error)
}
