import type { FastifyRequest } from 'fastify'
import type { Console } from './console.ts'
import type { Secret } from './frame.ts'
import type { Facts, Key } from './i18n/translator.ts'
import type { Site, Visitor } from './site.ts'

/** The path of a part of the console that has forms. */
export type Part = '/console' | '/console/passkeys' | '/console/service' | '/console/settings'

/** A finished action, with the secrets that are shown only once. */
export interface Done {
  readonly said: Key
  readonly once: readonly Secret[]
  /** Further notes on the action, in words. */
  readonly notes?: readonly string[]
}

/** The sender of a form, and their session. */
export interface Sender {
  readonly site: Site
  readonly visitor: Visitor
  readonly request: FastifyRequest
}

/** An operator's action that a form starts. */
export interface Action {
  /**
   * Whether the action needs a sign-in within the last five minutes, because it moves money or changes the books. Such
   * an action has a title (`fresh.action`).
   */
  readonly fresh: boolean
  /** The part of the console with the action's form. Default: `/console`, which lists what needs operators. */
  readonly page?: Part
  /**
   * Carries out the action for this operator. Resolves to the next page's message. Throws TippingRefusal, Problem, and
   * WrongForm.
   */
  readonly run: (parts: Console, form: URLSearchParams, operator: string, sender: Sender) => Promise<Key | Done>
}

/** A refused form. The text with this key contains the reason and the remedy. */
export class WrongForm extends Error {
  readonly key: Key
  readonly facts: Facts

  constructor(key: Key, facts: Facts = {}) {
    super(key)
    this.key = key
    this.facts = facts
  }
}

/**
 * Reads a form's value as a single line without control characters, because every field of the console has one line,
 * and a database accepts no NUL. Undefined if the value is empty.
 */
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
