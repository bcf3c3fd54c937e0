import { createHash, randomBytes } from 'node:crypto'
import { parse } from 'node-html-parser'
import type { RawAnswer, ServiceWorld, TestProject } from '../harness.ts'
import type { Browser, Page } from '../wallet-page/browser.ts'

export const REDIRECT = 'https://game.example/callback?from=satchel'

/** A registered program. */
export interface Program {
  readonly clientId: string
  readonly clientSecret: string | null
}

/** A project's program, and what it does when a user logs in. */
export class LogIns {
  readonly world: ServiceWorld
  readonly project: TestProject
  readonly verifier = randomBytes(32).toString('base64url')
  program: Program = { clientId: '', clientSecret: null }

  private constructor(world: ServiceWorld, project: TestProject) {
    this.world = world
    this.project = project
  }

  static async open(
    world: ServiceWorld,
    about: { name?: string; isPublic?: boolean; redirectUris?: string[] } = {},
  ): Promise<LogIns> {
    const logIns = new LogIns(world, await world.project())
    const client = { name: 'Space Game', redirectUris: [REDIRECT], scopes: 'user,wallet', ...about }
    logIns.program = await world.administration.createClient(logIns.project.projectId, client)
    return logIns
  }

  get challenge(): string {
    return createHash('sha256').update(this.verifier).digest('base64url')
  }

  /** Returns the address to which the program sends a user. Undefined fields are omitted. */
  address(fields: Record<string, string | undefined> = {}): string {
    const all = {
      response_type: 'code',
      client_id: this.program.clientId,
      redirect_uri: REDIRECT,
      scope: 'user wallet',
      state: 'state of the program & more',
      code_challenge: this.challenge,
      code_challenge_method: 'S256',
      ...fields,
    }
    const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined)
    return `/v1/oauth2/authorize?${new URLSearchParams(given)}`
  }

  /** Opens an address without following redirects. */
  async open(path: string): Promise<{ status: number; location: URL | undefined; text: string; headers: Headers }> {
    const response = await fetch(this.world.url + path, { redirect: 'manual' })
    const location = response.headers.get('location')
    return {
      status: response.status,
      location: location === null ? undefined : new URL(location),
      text: await response.text(),
      headers: response.headers,
    }
  }

  /** Makes a signed-in user open the question whether to allow the log-in. */
  async ask(browser: Browser, fields: Record<string, string | undefined> = {}): Promise<Page> {
    const { text } = await this.open(this.address(fields))
    const link = parse(text).querySelector('a.button')?.getAttribute('href')
    if (link === undefined) throw new Error(`nothing leads on: ${text}`)
    return await browser.open(link.replaceAll('&amp;', '&'))
  }

  /** Makes a signed-in user answer the question. Resolves to the address to which the user returns. */
  async answer(
    browser: Browser,
    answer: 'allow' | 'deny',
    fields: Record<string, string | undefined> = {},
  ): Promise<URL> {
    await this.ask(browser, fields)
    const body = new URLSearchParams({ ...browser.fieldsOf('/wallet/log-in'), answer })
    const response = await this.send(browser, body)
    return new URL(response.headers.get('location') ?? `no address: ${await response.text()}`)
  }

  /** Sends the form of the question, with any fields. */
  send(browser: Browser, body: URLSearchParams, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(`${this.world.url}/wallet/log-in`, {
      method: 'POST',
      redirect: 'manual',
      body,
      headers: { cookie: browser.cookie ?? '', 'sec-fetch-site': 'same-origin', ...headers },
    })
  }

  /** Returns a code that a user has just allowed. */
  async code(browser: Browser, fields: Record<string, string | undefined> = {}): Promise<string> {
    const code = (await this.answer(browser, 'allow', fields)).searchParams.get('code')
    if (code === null) throw new Error('no code')
    return code
  }

  /**
   * Sends the program's request to the token endpoint, with other fields if some are given; undefined omits a field.
   */
  token(fields: Record<string, string | undefined>, headers: Record<string, string> = {}): Promise<RawAnswer> {
    const { clientId, clientSecret } = this.program
    const all = { client_id: clientId, client_secret: clientSecret ?? undefined, ...fields }
    const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined)
    const text = new URLSearchParams(given).toString()
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    return this.world.raw('POST', '/v1/oauth2/token', { text, headers: { ...type, ...headers } })
  }

  /** Exchanges a code for tokens. */
  exchange(code: string, fields: Record<string, string | undefined> = {}): Promise<RawAnswer> {
    const proof = { code, redirect_uri: REDIRECT, code_verifier: this.verifier }
    return this.token({ grant_type: 'authorization_code', ...proof, ...fields })
  }

  refresh(token: string, fields: Record<string, string | undefined> = {}): Promise<RawAnswer> {
    return this.token({ grant_type: 'refresh_token', refresh_token: token, ...fields })
  }

  /** Resolves to the service's answer about the user who has logged in. */
  user(token: string | undefined, { apiKey } = this.project, what = 'user'): Promise<RawAnswer> {
    const headers: Record<string, string> = token === undefined ? {} : { usertoken: token }
    return this.world.raw('GET', `/v1/oauth2/${what}`, { apiKey, headers })
  }
}
