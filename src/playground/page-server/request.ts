import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { Emulator } from '../../discord-emulator/emulator.ts'
import { NotPossible } from '../../discord-emulator/people/not-possible.ts'
import type { Person } from '../../discord-emulator/people/person.ts'
import { HttpProblem } from '../../lib/http/http-server.ts'
import { firstFault } from '../../lib/http/zod-fault.ts'

/**
 * Finds the tab's person by the header `x-person`. A header of our own also keeps foreign pages out, because a browser
 * must ask this server's permission before it sends such a header for them. Throws a 400 if the header is missing, and
 * a 404 for an unknown person.
 */
export function askingPerson(request: FastifyRequest, emulator: Emulator): Person {
  const id = request.headers['x-person']
  if (typeof id !== 'string') throw new HttpProblem(400, 'no_person', 'Say who you are in the header x-person.')
  return personById(id, emulator)
}

/** Finds a person by their id. Throws a 404 for an unknown id, and for the bot's. */
export function personById(id: string, emulator: Emulator): Person {
  const known = emulator.world.people().some((person) => person.id === id && !person.bot)
  if (!known)
    throw new HttpProblem(404, 'unknown_person', 'There is no such person in this world. Choose another person.')
  return emulator.as(id)
}

/** Returns the segment of the path with this name; empty if there is none. */
export function segment(request: FastifyRequest, name: string): string {
  return (request.params as Record<string, string>)[name] ?? ''
}

/** Reads a request's body in this shape. Throws a 400 that explains the first fault. */
export function bodyOf<Shape extends z.ZodType>(request: FastifyRequest, shape: Shape): z.output<Shape> {
  const body = request.body ?? {}
  const read = shape.safeParse(body)
  if (read.success) return read.data
  throw new HttpProblem(400, 'malformed_request', firstFault(read.error, body))
}

/** A refusal by the emulated Discord, with the affected option or field. */
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

/** Runs a person's action. Converts a refusal by the emulated Discord to a 422 with the same message. */
export async function attempt<Result>(action: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await action()
  } catch (error) {
    if (error instanceof NotPossible) throw new Refused(error)
    throw error
  }
}

/** Runs an action of a part of the world. Converts its error, whose message is a sentence for the person, to a 422. */
export async function inWords<Result>(action: () => Promise<Result>): Promise<Result> {
  try {
    return await action()
  } catch (error) {
    if (error instanceof HttpProblem) throw error
    const message = error instanceof Error ? error.message : String(error)
    throw new HttpProblem(422, 'wallet_refused', message)
  }
}
