import { type HTMLElement, parse } from 'node-html-parser'
import type { ServiceWorld } from '../harness.ts'

/** A page as the browser received it. */
export interface Page {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly root: HTMLElement
  /** The path at which the browser ended up. */
  readonly path: string
}

/**
 * A person with a browser that keeps its cookie, follows redirects, and sends the page's forms with all their fields.
 */
export class Browser {
  readonly #world: Pick<ServiceWorld, 'url'>
  /** The session's cookie. */
  cookie: string | undefined
  #language: string | undefined
  page: Page | undefined

  constructor(world: Pick<ServiceWorld, 'url'>) {
    this.#world = world
  }

  async open(path: string): Promise<Page> {
    return this.#go('GET', path, undefined, {})
  }

  /** Submits the page's form that has this action, with its hidden fields and the given values. */
  submit(action: string, fields: Record<string, string> = {}): Promise<Page> {
    return this.post(action, { ...this.fieldsOf(action), ...fields })
  }

  /** Returns the fields that the page's form with this action would send unchanged. */
  fieldsOf(action: string): Record<string, string> {
    const form = this.page?.root.querySelector(`form[action="${action}"]`)
    if (!form) throw new Error(`no form ${action} on ${this.page?.path}: ${this.page?.text}`)
    const fields = form.querySelectorAll('input, textarea').map((field): [string, string] => {
      const value = field.tagName === 'TEXTAREA' ? field.textContent : (field.getAttribute('value') ?? '')
      return [field.getAttribute('name') ?? '', value]
    })
    return Object.fromEntries(fields.filter(([name]) => name !== ''))
  }

  /** Sends a form with any fields and headers; a header with an empty value is omitted. */
  post(path: string, fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Page> {
    const body = new URLSearchParams(fields).toString()
    const sent = Object.entries({ 'sec-fetch-site': 'same-origin', ...headers }).filter(([, value]) => value !== '')
    return this.#go('POST', path, body, Object.fromEntries(sent))
  }

  async #go(method: string, path: string, body: string | undefined, headers: Record<string, string>): Promise<Page> {
    const cookie = [this.cookie, this.#language].filter(Boolean).join('; ')
    const response = await fetch(this.#world.url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(body !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
        ...(cookie !== '' && { cookie }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    })
    for (const set of response.headers.getSetCookie()) {
      const [pair = ''] = set.split(';')
      if (pair.startsWith('wallet-language=')) this.#language = pair
      else this.cookie = /max-age=0/i.test(set) ? undefined : pair
    }
    const location = response.headers.get('location')
    const text = await response.text()
    if (response.status === 303 && location !== null) return this.open(location)
    this.page = { status: response.status, headers: response.headers, text, root: parse(text), path }
    return this.page
  }
}

/** Creates a user with a gamertag, and signs them in. */
export async function signedIn(world: ServiceWorld, gamertag: string): Promise<{ browser: Browser; userId: string }> {
  const { userId, token } = await world.administration.createUser(gamertag)
  const browser = new Browser(world)
  await browser.open(`/wallet/sign-in?token=${token}`)
  await browser.submit('/wallet/sign-in')
  return { browser, userId }
}

/** Returns the text of a page's content, without markup or repeated spaces. */
export function words(page: Page): string {
  return (page.root.querySelector('main')?.structuredText ?? '').replace(/\s+/g, ' ')
}
