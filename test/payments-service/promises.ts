import { expect, it } from 'vitest'
import {
  logInErrors,
  type Operation,
  operations,
  type RefusalCode,
  refusals,
  TOKEN_PATH,
} from '../../src/payments-api/payments-api.ts'
import { everyBody, everyOperation, everyPath, everyPost } from '../../src/payments-api/refusals.ts'

/** The answers over HTTP in this test file, by operation: `success`, or the code of a refusal. */
const shown = new Map<string, Set<string>>()

/**
 * Records an answer, and throws if it is a refusal that is not declared with this status, either among all codes or for
 * this operation. The worlds of these tests call this function for every request that they make.
 */
export function noteAnswer(verb: string, url: string, status: number, code: unknown): void {
  const { pathname } = new URL(url, 'http://service')
  mustBeDeclared(pathname, status, code)
  for (const operation of Object.values(operations)) {
    if (!patternOf(operation.path).test(pathname)) continue
    // A wrong verb is refused by the path, so by each operation that has it.
    if (operation.verb !== verb && code !== 'wrong_verb') continue
    if (status !== 200 && !operation.refusals.some((declared) => declared === code)) {
      throw new Error(`${operation.name} answered ${status} ${code}, which it does not declare`)
    }
    const answers = shown.get(operation.name) ?? new Set()
    answers.add(status === 200 ? 'success' : String(code))
    shown.set(operation.name, answers)
  }
}

/** Returns the codes with which only this operation and a few others can refuse. */
export function ownRefusals(operation: Operation): RefusalCode[] {
  return operation.refusals.filter((code) => !sharedRefusals(operation).includes(code))
}

/** Returns the codes with which every operation of this kind can refuse. */
export function sharedRefusals(operation: Operation): RefusalCode[] {
  return [
    ...everyOperation,
    ...(operation.body === undefined ? [] : everyBody),
    ...(operation.verb === 'POST' ? everyPost : []),
    ...(operation.path.includes('{') ? everyPath : []),
  ]
}

/**
 * Defines the last test of a file, which checks that the earlier tests saw a success and each of the operation's own
 * refusals, and nothing else. The codes that all operations share are tested for each of them in
 * `http/requests.test.ts`.
 */
export function itKeepsEveryPromise(operation: Operation): void {
  it(`${operation.name} gave a success, all its own refusals, and no undeclared answer`, () => {
    expect(missing(operation, ['success', ...ownRefusals(operation)])).toEqual([])
    const declared: readonly string[] = ['success', ...operation.refusals]
    expect([...(shown.get(operation.name) ?? [])].filter((code) => !declared.includes(code))).toEqual([])
  })
}

/** Returns the outcomes in `promises` that no answer has shown so far. */
export function missing(operation: Operation, promises: readonly string[]): string[] {
  return promises.filter((promise) => !shown.get(operation.name)?.has(promise))
}

/**
 * Throws if the code is not declared with this status. The page for people and the sandbox's routes are exempt: no
 * program relies on their texts.
 */
function mustBeDeclared(pathname: string, status: number, code: unknown): void {
  if (code === undefined || /^\/(sandbox|wallet)\b/.test(pathname)) return
  const ofLogIn = pathname === TOKEN_PATH ? logInErrors : {}
  const declared: Readonly<Record<string, { readonly status: number }>> = { ...refusals, ...ofLogIn }
  if (declared[String(code)]?.status === status) return
  throw new Error(`${pathname} answered ${status} ${code}, which refusals.ts does not declare`)
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]*')}$`)
}
