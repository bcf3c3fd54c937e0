import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Emulator } from '../../discord-emulator/emulator.ts'
import { NotPossible } from '../../discord-emulator/people/not-possible.ts'
import type { Person } from '../../discord-emulator/people/person.ts'
import { HttpProblem } from '../../lib/http/http-server.ts'
import { firstFault } from '../../lib/http/zod-fault.ts'

/**
 * Reads the tab's person from `x-person`. Our own header also keeps foreign pages out, because their browsers would
 * have to ask for permission first. Throws a 400 without the header, and a 404 for an unknown person.
 */
export function askingPerson(request: FastifyRequest, emulator: Emulator): Person {
  const id = request.headers['x-person']
  if (typeof id !== 'string') throw new HttpProblem(400, 'no_person', 'Say who you are in the header x-person.')
  return personById(id, emulator)
}

/** Finds a person. Throws a 404 for an unknown id, and for the bot's. */
export function personById(id: string, emulator: Emulator): Person {
  const known = emulator.world.people().some((person) => person.id === id && !person.bot)
  if (!known)
    throw new HttpProblem(404, 'unknown_person', 'There is no such person in this world. Choose another person.')
  return emulator.as(id)
}

/** Returns a segment of the path. */
export function segment(request: FastifyRequest, name: string): string {
  return (request.params as Record<string, string>)[name] ?? ''
}

/** Reads the body in the wanted shape. Throws a 400 with an explanation. */
export function bodyOf<Shape extends z.ZodType>(request: FastifyRequest, shape: Shape): z.output<Shape> {
  const body = request.body ?? {}
  const read = shape.safeParse(body)
  if (read.success) return read.data
  throw new HttpProblem(400, 'malformed_request', firstFault(read.error, body))
}

/** A refusal of the emulated Discord, with the affected option or field. */
class Refused extends HttpProblem {
  readonly field: string | null

  constructor(error: NotPossible) {
    super(422, 'not_possible', error.message)
    this.field = error.field
  }

  override toBody() {
    return { ...super.toBody(), field: this.field }
  }
}

/** Acts as a person. Discord's refusals become a 422 in its words. */
export async function attempt<Result>(action: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await action()
  } catch (error) {
    if (error instanceof NotPossible) throw new Refused(error)
    throw error
  }
}

/** Runs a part of the world. A refusal, which is a sentence for the person, becomes a 422 for the page. */
export async function inWords<Result>(action: () => Promise<Result>): Promise<Result> {
  try {
    return await action()
  } catch (error) {
    if (error instanceof HttpProblem) throw error
    const message = error instanceof Error ? error.message : String(error)
    throw new HttpProblem(422, 'wallet_refused', message)
  }
}
