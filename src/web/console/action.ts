import type { FastifyRequest } from 'fastify'
import type { Console } from './console.ts'
import type { Secret } from './frame.ts'
import type { Facts, Key } from './i18n/translator.ts'
import type { Site, Visitor } from './site.ts'

/** A part of the console that has forms, by its path. */
export type Part = '/console' | '/console/passkeys' | '/console/service' | '/console/settings'

/** A finished action, with the secrets that are shown only once. */
export interface Done {
  readonly said: Key
  readonly once: readonly Secret[]
  /** Further notes on it, in words. */
  readonly notes?: readonly string[]
}

/** The sender of a form, and their session. */
export interface Sender {
  readonly site: Site
  readonly visitor: Visitor
  readonly request: FastifyRequest
}

/** Something that an operator does with a form. */
export interface Action {
  /** Whether it needs a sign-in of the last five minutes: it lets money or books move. Then it has a title (`fresh.action`). */
  readonly fresh: boolean
  /** The part of the console with its form. Default: what needs operators. */
  readonly page?: Part
  /** Does it, for this operator. Resolves to what the next page says. Throws TippingRefusal, Problem, and WrongForm. */
  readonly run: (parts: Console, form: URLSearchParams, operator: string, sender: Sender) => Promise<Key | Done>
}

/** Refusal of a form: the text with this key says why, and what to do. */
export class WrongForm extends Error {
  readonly key: Key
  readonly facts: Facts

  constructor(key: Key, facts: Facts = {}) {
    super(key)
    this.key = key
    this.facts = facts
  }
}

/** Form values are single lines: every field of the console has one, and a database takes no NUL. */
export function may(form: URLSearchParams, name: string): string | undefined {
  return (
    form
      .get(name)
      ?.replace(/[\p{Cc}\s]+/gu, ' ')
      .trim() || undefined
  )
}

export function mustHave(form: URLSearchParams, name: string): string {
  const value = may(form, name)
  if (value === undefined) throw new WrongForm('refused.empty')
  return value
}

export function oneOf<Choice extends string>(form: URLSearchParams, name: string, choices: readonly Choice[]): Choice {
  const chosen = choices.find((choice) => choice === form.get(name))
  if (chosen === undefined) throw new WrongForm('refused.empty')
  return chosen
}
