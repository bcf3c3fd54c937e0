import { setTimeout as pause } from 'node:timers/promises'
import type { Chance } from '../../world/chance.ts'

/** A POST with an Idempotency-Key. */
export interface Asked {
  readonly url: string
  readonly authorization: Readonly<Record<string, string>>
  readonly idempotencyKey: string
  readonly body: object
}

export interface HttpAnswer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

/** The range of the time limits, in ms, of clients that give up so soon that they cannot know the outcome. */
const SHORT_MS = [1, 60] as const
const LONG_MS = 10_000
const GIVES_UP_SOON = 0.3
const ASKS_TWICE = 0.2
const PAUSE_MS = [20, 300] as const

/**
 * Sends a request until it has a final answer, as a careful program does. Resolves to all final answers, which must
 * agree.
 */
export async function askUntilAnswered(asked: Asked, chance: Chance): Promise<readonly HttpAnswer[]> {
  for (;;) {
    const attempts = Array.from({ length: chance.happens(ASKS_TWICE) ? 2 : 1 }, () => {
      return askOnce(asked, chance.happens(GIVES_UP_SOON) ? chance.between(...SHORT_MS) : LONG_MS)
    })
    const answers = (await Promise.all(attempts)).filter((answer) => answer !== undefined)
    const final = answers.filter(isFinal)
    if (final.length > 0) return final
    await pause(chance.between(...PAUSE_MS))
  }
}

/**
 * Whether an answer is final. Answers about server trouble, rate limits and attempts that are still running are not
 * final.
 */
function isFinal({ status, body }: HttpAnswer): boolean {
  return status < 500 && status !== 408 && status !== 429 && body.code !== 'still_running'
}

/** Sends one request. Resolves to the answer; undefined if no answer, or only part of one, comes in time. */
export async function askOnce(asked: Asked, timeoutMs: number): Promise<HttpAnswer | undefined> {
  const { url, authorization, idempotencyKey, body } = asked
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { ...authorization, 'content-type': 'application/json', 'idempotency-key': idempotencyKey },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    })
    return { status: response.status, body: (await response.json()) as HttpAnswer['body'] }
  } catch {
    return undefined
  }
}

/** Returns the common answer to one request; differing answers are a fault. */
export function agreed(answers: readonly HttpAnswer[], what: string, faults: string[]): HttpAnswer | undefined {
  const [first, ...others] = answers
  const other = others.find((answer) => JSON.stringify(answer) !== JSON.stringify(first))
  if (other !== undefined) faults.push(`${what} was answered with ${said(first)}, and with ${said(other)}`)
  return first
}

export function said(answer: HttpAnswer | undefined): string {
  return answer === undefined ? 'nothing' : `${answer.status} ${JSON.stringify(answer.body)}`
}
