import { onTestFinished } from 'vitest'
import { OperatorsBoard } from '../../src/assembly/operators-board.ts'
import { parseConfig } from '../../src/config/config.ts'
import { systemEntropy } from '../../src/lib/entropy.ts'
import { createLogger } from '../../src/lib/logger.ts'
import type { RecentLines } from '../../src/lib/recent-lines.ts'
import { type Console, createWebServer, type ServiceSide } from '../../src/web/web-server.ts'
import type { TippingWorld } from '../tipping/world.ts'

export const PASSWORD = 'correct horse battery'
export const READ_PASSWORD = 'only for looking at'
const OLIVIA = { id: '1001', name: 'Olivia' }

export interface Served {
  readonly variables?: Record<string, string>
  readonly publicUrl?: string
  readonly backUp?: Console['backUp']
  /** The bundled service's state, and how it redelivers the callbacks that it gave up. */
  readonly service?: ServiceSide
  readonly redeliver?: Console['redeliver']
  readonly settings?: Console['settings']
  readonly atService?: Console['atService']
  /** Who is an operator on Discord; everybody if omitted. */
  readonly isOperator?: (id: string) => Promise<boolean>
  readonly serverName?: Console['serverName']
  readonly roleName?: Console['roleName']
  readonly memberName?: Console['memberName']
  /** Whether a proxy reports the caller's address. */
  readonly trustProxy?: boolean
  /** Receives the log's lines. */
  readonly log?: string[]
  /** Stores them for the console, as the programs do. */
  readonly recent?: RecentLines
}

/** Serves a bot's console; returns it with a browser in which nobody is signed in. */
export async function serveConsole({ clock, tipping }: TippingWorld, served: Served = {}): Promise<Visitor> {
  const { variables = {}, publicUrl, backUp, redeliver, settings, service, log = [] } = served
  const { isOperator = async () => true, recent, trustProxy = false } = served
  const { serverName = () => undefined, roleName = () => undefined, memberName = async () => undefined } = served
  const destination = { write: (line: string) => void log.push(line) }
  const logger = createLogger({ level: 'info', name: 'x', destination, ...(recent && { recent }) })
  const passwords = { CONSOLE_PASSWORD: PASSWORD, CONSOLE_READ_PASSWORD: READ_PASSWORD, ...variables }
  const board = new OperatorsBoard(
    { clock, entropy: systemEntropy, logger, ...(recent && { recent }) },
    {
      ...parseConfig(passwords),
      backUp,
      redeliver,
      settings,
      ...(served.atService && { atService: served.atService }),
    },
    () => service && Promise.resolve(service),
  )
  board.watch({ tipping, provider: 'http://127.0.0.1:8787', isOperator, serverName, roleName, memberName })
  const server = await createWebServer({
    tipping: { hint: async () => 'unknown' as const },
    operators: { pages: board, publicUrl },
    ...{ port: 0, clock, logger, trustProxy },
  })
  onTestFinished(() => server.close())
  return new Visitor(server.address)
}

/** A form's fields; a list if a name occurs more than once. */
export type Fields = Record<string, string> | [string, string][]

/** A browser: it keeps its cookie, reads pages, and sends the forms that are on them. */
export class Visitor {
  readonly address: string
  /** Where it has the page open, as browsers say with each form; undefined: it does not say. */
  readonly origin: string | undefined
  cookie = ''

  constructor(address: string, cookie = '', origin?: string) {
    this.address = address
    this.cookie = cookie
    this.origin = origin
  }

  /** Another browser at the same server. */
  other(cookie = '', origin = this.origin): Visitor {
    return new Visitor(this.address, cookie, origin)
  }

  async send(
    path: string,
    fields: Fields,
    headers: Record<string, string> = {},
    signal: AbortSignal | null = null,
  ): Promise<Response> {
    const answer = await fetch(this.address + path, {
      ...{ method: 'POST', redirect: 'manual', body: new URLSearchParams(fields), signal },
      headers: { cookie: this.cookie, ...(this.origin && { origin: this.origin }), ...headers },
    })
    const set = answer.headers.get('set-cookie')?.split(';')[0]
    if (set !== undefined) this.cookie = set
    return answer
  }

  async post(path: string, fields: Fields, headers: Record<string, string> = {}) {
    const answer = await this.send(path, fields, headers)
    return { status: answer.status, to: answer.headers.get('location') ?? '', text: await answer.text() }
  }

  async look(path = '/console') {
    const answer = await fetch(this.address + path, { headers: { cookie: this.cookie } })
    return { status: answer.status, text: await answer.text(), headers: answer.headers }
  }

  /** The token of the first form on the page that is sent there. */
  async token(action: string, page = '/console'): Promise<string> {
    const { text } = await this.look(page)
    const form = new RegExp(`action="/console/${action}">.*?name="form" value="([^"]+)"`, 's').exec(text)
    return form?.[1] ?? 'no such form'
  }

  async does(action: string, fields: Record<string, string> = {}) {
    return await this.post(`/console/${action}`, { form: await this.token(action), ...fields })
  }

  signIn(password = PASSWORD) {
    return this.post('/console/sign-in', { password })
  }
}

/** A browser in which an operator has opened the link of /admin page. */
export async function byLink(visitor: Visitor, { tipping }: TippingWorld): Promise<Visitor> {
  const other = visitor.other()
  await other.post('/operators/sign-in', { key: await tipping.administration.signIns.invite(OLIVIA) })
  return other
}
