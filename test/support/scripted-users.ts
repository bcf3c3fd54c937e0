import { ok, refusal, type ScriptedAnswer } from './scripted-answer.ts'
import type { Route, ScriptedProvider } from './scripted-provider.ts'

/**
 * Our additions to the interface for a project's people: accounts of their own, and proof that a gamertag is theirs.
 */
export class ScriptedUsers {
  /** Whether the provider has these operations. */
  offered = false
  /** The code that each user sees, by user id. */
  readonly codes = new Map<string, string>()
  /** The users for whom a sign-in link was requested. */
  readonly waysIn: string[] = []
  readonly #provider: ScriptedProvider
  readonly #own = new Map<string, { readonly id: string; readonly gamertag: string }>()

  constructor(provider: ScriptedProvider) {
    this.#provider = provider
  }

  readonly routes: readonly Route[] = [
    ['openUser', 'POST', /^\/v0\/users$/, (_, body) => this.#open(body)],
    ['createSignInLink', 'POST', /^\/v0\/users\/([^/]+)\/sign-in-link$/, (id) => this.#wayIn(id)],
    ['proveGamertag', 'POST', /^\/v0\/gamertag\/prove$/, (_, body) => this.#prove(body)],
  ]

  #open({ reference = '', gamertag = '' }: Record<string, string>): ScriptedAnswer {
    if (!this.offered) return lacking()
    const before = this.#own.get(reference)
    const user = before ?? { id: this.#provider.user(gamertag), gamertag }
    this.#own.set(reference, user)
    return ok({ ...user, created: before === undefined })
  }

  #wayIn(id: string): ScriptedAnswer {
    if (!this.offered) return lacking()
    this.waysIn.push(id)
    return ok({ url: `https://wallet.test/${id}`, expiresAt: new Date(this.#provider.now() + 600_000).toISOString() })
  }

  #prove({ gamertag = '', reference = '', code }: Record<string, string>): ScriptedAnswer {
    if (!this.offered) return lacking()
    const id = this.#provider.idOf(gamertag)
    if (id === undefined) return refusal(404, 'Nobody has this gamertag.', 'gamertag_not_found')
    if (this.#own.get(reference)?.id === id || this.codes.get(id) === code) return ok({ id, gamertag })
    if (code === undefined) return refusal(403, 'Show the code of the wallet page.', 'proof_required')
    return refusal(403, 'The code is wrong.', 'wrong_proof')
  }
}

function lacking(): ScriptedAnswer {
  return refusal(404, 'There is no such path.', 'unknown_route')
}
