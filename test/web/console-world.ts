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
  /** The bundled service's state, and the function that redelivers dead-lettered callbacks. */
  readonly service?: ServiceSide
  readonly redeliver?: Console['redeliver']
  readonly settings?: Console['settings']
  readonly atService?: Console['atService']
  /** Returns whether somebody is an operator on Discord; by default, everybody is. */
  readonly isOperator?: (id: string) => Promise<boolean>
  readonly serverName?: Console['serverName']
  readonly roleName?: Console['roleName']
  readonly memberName?: Console['memberName']
  /** Whether a proxy reports the caller's address. */
  readonly trustProxy?: boolean
  /** The list that receives the log's lines. */
  readonly log?: string[]
  /** The store of the log's lines for the console, as in the programs. */
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

/** The fields of a form, as a list if a name occurs more than once. */
export type Fields = Record<string, string> | [string, string][]

/** A browser that keeps its cookie, reads pages, and sends the forms on them. */
export class Visitor {
  readonly address: string
  /**
   * The origin of the open page, which browsers send with each form, or undefined for a browser that does not send it.
   */
  readonly origin: string | undefined
  cookie = ''

  constructor(address: string, cookie = '', origin?: string) {
    this.address = address
    this.cookie = cookie
    this.origin = origin
  }

  /** Returns another browser at the same server. */
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

  /** Returns the token of the page's first form with this action. */
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

/** Returns a browser in which an operator has opened the link from `/admin page`. */
export async function byLink(visitor: Visitor, { tipping }: TippingWorld): Promise<Visitor> {
  const other = visitor.other()
  await other.post('/operators/sign-in', { key: await tipping.administration.signIns.invite(OLIVIA) })
  return other
}
