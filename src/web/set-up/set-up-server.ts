import { Readable } from 'node:stream'
import { parseCookie, stringifySetCookie } from 'cookie'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Clock, pause } from '../../lib/clock.ts'
import { type Entropy, token } from '../../lib/entropy.ts'
import { listen } from '../../lib/http/http-listen.ts'
import { createHttpServer, HttpProblem } from '../../lib/http/http-server.ts'
import type { Logger } from '../../lib/logger.ts'
import { Problem } from '../../lib/problem.ts'
import { formOf, readForms, refuseForeign, sendPage } from '../forms.ts'
import { keepPrivate } from '../private-pages.ts'
import { SetUpCode } from './code.ts'
import { Conversation } from './conversation.ts'
import { drawCode, drawConversation, drawStarting, SET_UP_POLICY } from './draw-set-up.ts'

export { type Choice, Conversation } from './conversation.ts'

export interface SetUpServerOptions {
  /** 0 means any free port. */
  readonly port: number
  readonly host: string
  readonly trustProxy: boolean | string
  /** A code that the operator has set; undefined if the process makes a code, which works once. */
  readonly code: string | undefined
  /** Tells a person the address, and the current code if the process made the code. */
  readonly announce: (address: string, code: string | undefined) => void
  /**
   * Restores an archive. Resolves to a description of the result. Throws Problem. Without this function the page offers
   * no restore.
   */
  readonly restore?: ((pieces: AsyncIterable<Uint8Array>) => Promise<string>) | undefined
  readonly clock: Clock
  readonly entropy: Entropy
  readonly logger: Logger
}

export interface SetUpServer {
  readonly conversation: Conversation
  /** Listens, and announces the address. Throws Problem if the port is taken. */
  open(): Promise<void>
  /** Stops listening, and keeps everything: the browser continues when the server opens again. */
  close(): Promise<void>
}

const PAGE = '/setup'
/** The limit for one IP address. The page asks for the progress once a second. */
const REQUESTS_PER_SECOND = 5
const MAX_FORM_BYTES = 8_192
const FOREIGN_FORM = 'This form was not sent from the set-up page. Nothing was done. Open /setup again.'
/** How long a form's answer waits for its check. If the check takes longer, the answer is a page that waits. */
const CHECK_MS = 5_000
/** The time limit for a backup of gigabytes over a slow line. */
const UPLOAD_MS = 30 * 60_000
const AFTER_RESTORE =
  'Start Satchel below. Outgoing payments stay paused until the books are proven against the wallet and an operator resumes them: in the console (/console), or with /admin resume.'
const ANSWERED_ALREADY = 'That question has already been answered, perhaps in another tab. Nothing was changed.'

/** Creates the server of `/setup`: the conversation of set-up with the one browser that has entered the code. */
export function createSetUpServer(options: SetUpServerOptions): SetUpServer {
  const { clock, entropy, logger, host, trustProxy, announce } = options
  const conversation = new Conversation()
  let address: string | undefined
  // The first code is announced with the address, as soon as the address is known.
  let unannounced: string | undefined
  const code = new SetUpCode({
    fixed: options.code,
    entropy,
    clock,
    announce(made) {
      if (address === undefined) unannounced = made
      else announce(address, made)
    },
  })
  const session = new Session(entropy)
  let app: FastifyInstance | undefined
  // The browser returns to the port that was free the first time.
  let { port } = options
  return {
    conversation,
    async open() {
      if (app !== undefined) return
      const next = createHttpServer({ logger, clock, trustProxy, bodyTimeoutMs: UPLOAD_MS })
      addRoutes(next, { conversation, code, session, clock, mayRestore: options.restore !== undefined })
      if (options.restore) addRestore(next, { conversation, session, restore: options.restore })
      const base = await listen(next, port, host, 'CALLBACK_PORT')
      app = next
      port = Number(new URL(base).port)
      if (address !== undefined) return
      address = `${base}${PAGE}`
      announce(address, unannounced)
    },
    async close() {
      await app?.close()
      app = undefined
    },
  }
}

interface Parts {
  readonly conversation: Conversation
  readonly code: SetUpCode
  readonly session: Session
  readonly clock: Clock
  readonly mayRestore: boolean
}

function addRoutes(app: FastifyInstance, { conversation, code, session, clock, mayRestore }: Parts): void {
  readForms(app, MAX_FORM_BYTES)
  keepPrivate(app, { policy: SET_UP_POLICY, requestsPerSecond: REQUESTS_PER_SECOND, clock })
  app.addHook('onRequest', async (request) => {
    if (request.method === 'POST') refuseForeign(request, undefined, FOREIGN_FORM)
  })
  // An old tab, or a browser whose place another one has taken: the page tells the person how to continue.
  const outside = (reply: FastifyReply) => sendPage(reply.code(403), drawCode(undefined, code))
  app.get('/health', async () => ({ status: 'setup' }))
  app.get('/ready', async () => {
    throw new HttpProblem(503, 'not_ready', 'Satchel is not set up yet. Finish the set-up at /setup.')
  })
  app.get('/', async (_, reply) => reply.redirect(PAGE, 303))
  app.get(PAGE, async (request, reply) => {
    if (!session.isOf(request)) return sendPage(reply, drawCode(undefined, code))
    return sendPage(reply, await drawConversation(conversation.view(), { mayRestore }))
  })
  app.get(`${PAGE}/state`, async (request) => {
    session.assert(request)
    const { version, end } = conversation.view()
    return { version, starting: end === 'starting' }
  })
  app.post(`${PAGE}/code`, async (request, reply) => {
    const outcome = code.enter(formOf(request).get('code') ?? '')
    if (outcome !== 'right') return sendPage(reply.code(403), drawCode(outcome, code))
    session.begin(reply)
    return reply.redirect(PAGE, 303)
  })
  app.post(`${PAGE}/new-code`, async (_, reply) => {
    // A code that was not used yet stays valid, so nobody can take it away from the person who types it.
    if (code.isUsed) code.renew()
    return reply.redirect(PAGE, 303)
  })
  app.post(`${PAGE}/answer`, async (request, reply) => {
    if (!session.isOf(request)) return outside(reply)
    const form = formOf(request)
    const text = (form.get('choice') ?? form.get('answer') ?? '').trim()
    if (!conversation.answer(Number(form.get('number')), text)) {
      return sendPage(
        reply.code(409),
        await drawConversation(conversation.view(), { mayRestore, notice: ANSWERED_ALREADY }),
      )
    }
    await Promise.race([conversation.waits(), pause(clock, CHECK_MS)])
    return reply.redirect(PAGE, 303)
  })
  app.post(`${PAGE}/again`, async (request, reply) => {
    if (!session.isOf(request)) return outside(reply)
    const onward = formOf(request).get('onward')
    if (onward === 'questions' || onward === 'start') conversation.goOn(onward)
    return reply.redirect(PAGE, 303)
  })
  app.post(`${PAGE}/start`, async (request, reply) => {
    if (!session.isOf(request)) return outside(reply)
    if (conversation.view().end === undefined) return reply.redirect(PAGE, 303)
    reply.raw.once('finish', () => conversation.start())
    return sendPage(reply, drawStarting(conversation.view()))
  })
}

interface RestoreParts extends Pick<Parts, 'conversation' | 'session'> {
  readonly restore: (pieces: AsyncIterable<Uint8Array>) => Promise<string>
}

/**
 * Adds the route that restores a backup of any length. It adds the outcome to the conversation, so that a page that was
 * closed shows it later.
 */
function addRestore(app: FastifyInstance, { conversation, session, restore }: RestoreParts): void {
  let isBusy = false
  app.addContentTypeParser('application/x-tar', (_, payload, done) => done(null, payload))
  app.post(`${PAGE}/restore`, async (request, reply) => {
    session.assert(request)
    if (conversation.view().end !== 'settled' || isBusy || !(request.body instanceof Readable)) {
      const message =
        'Answer all questions first. If a backup is already being restored, wait until it has been restored. Then choose the file again.'
      throw new HttpProblem(409, 'not_now', message)
    }
    isBusy = true
    try {
      conversation.say(`✓ ${await restore(request.body)} ${AFTER_RESTORE}`)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      conversation.say(`✗ ${error.message}`)
    } finally {
      isBusy = false
    }
    return reply.code(204).send()
  })
}

/** The session of the one browser that may answer. Another browser that enters a code takes its place. */
class Session {
  readonly #entropy: Entropy
  #token = ''

  constructor(entropy: Entropy) {
    this.#entropy = entropy
  }

  begin(reply: FastifyReply): void {
    this.#token = token(this.#entropy)
    const cookie = { name: 'setup', value: this.#token, path: PAGE, httpOnly: true, sameSite: 'strict' } as const
    reply.header('set-cookie', stringifySetCookie(cookie))
  }

  isOf(request: FastifyRequest): boolean {
    return this.#token !== '' && parseCookie(request.headers.cookie ?? '').setup === this.#token
  }

  assert(request: FastifyRequest): void {
    if (this.isOf(request)) return
    const message =
      'The set-up continues in another browser, or the code has not been entered in this one yet. Open /setup again.'
    throw new HttpProblem(403, 'no_session', message)
  }
}
