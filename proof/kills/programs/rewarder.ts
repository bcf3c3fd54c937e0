import { setTimeout as pause } from 'node:timers/promises'
import type { Chance } from '../../world/chance.ts'
import type { Reported } from '../reported.ts'
import { agreed, askUntilAnswered, type HttpAnswer, said } from './asking.ts'
import type { Keys, ServerKey } from './keys.ts'

/** A reward that a program was told it had given. */
export interface GivenReward {
  readonly id: string
  readonly recipient: string
  readonly amount: bigint
}

/** A request for a reward, and its outcome. */
interface Request {
  readonly idempotencyKey: string
  readonly member: string
  readonly amount: bigint
  answer?: HttpAnswer
}

/** A key in use, with the requests that were sent with it. */
interface Work {
  readonly key: ServerKey
  readonly requests: Request[]
  isSpent: boolean
}

const A_SAT = 1_000n
/** The budget of a key for 24 hours, enough for some thirty rewards. */
const BUDGET_SATS = 300
const SATS = [1, 20] as const
const BURST = [1, 4] as const
const PAUSE_MS = [200, 1_200] as const
const ASKS_AGAIN = 0.5
const FOR_ANOTHER_SUM = 0.2

/**
 * A program that rewards people until its key's budget is spent, and continues with the next key. Its requests race for
 * the last sats, are given up and sent again, and are sent again long after their answers.
 */
export class Rewarder {
  readonly given: GivenReward[] = []
  readonly told: Reported[] = []
  /** The refused rewards, each as its key and Idempotency-Key. */
  readonly refused: string[] = []
  readonly faults: string[] = []
  /** Each key's budget in msats, by the key's id. */
  readonly budgets = new Map<string, bigint>()
  /** The number of requests that were sent again after their answer. */
  again = 0
  readonly #chance: Chance
  readonly #keys: Keys
  readonly #url: string
  readonly #recipients: readonly string[]
  #count = 0

  constructor(options: {
    readonly chance: Chance
    readonly keys: Keys
    readonly botUrl: string
    readonly recipients: readonly string[]
  }) {
    this.#chance = options.chance
    this.#keys = options.keys
    this.#url = `${options.botUrl}/api/v1/rewards`
    this.#recipients = options.recipients
  }

  /** Gives rewards until `signal` is aborted. Resolves when every request has its answer. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const key = await this.#keys.make({ use: 'rewards', budget: String(BUDGET_SATS) })
      const work: Work = { key, requests: [], isSpent: false }
      this.budgets.set(key.id, BigInt(BUDGET_SATS) * A_SAT)
      while (!signal.aborted && !work.isSpent) {
        const burst = Array.from({ length: this.#chance.between(...BURST) }, () => this.#give(work))
        await Promise.all([...burst, this.#askAgain(work)])
        await pause(this.#chance.between(...PAUSE_MS))
      }
      await this.#keys.end(key.id)
    }
  }

  async #give(work: Work): Promise<void> {
    this.#count += 1
    const request: Request = {
      idempotencyKey: `match-${this.#count}`,
      member: this.#chance.one(this.#recipients),
      amount: BigInt(this.#chance.between(...SATS)) * A_SAT,
    }
    work.requests.push(request)
    const name = `api-key ${work.key.id} ${request.idempotencyKey}`
    const answer = agreed(await this.#ask(work, request), name, this.faults)
    if (answer === undefined) return
    request.answer = answer
    const { member, amount } = request
    const { id, ...rest } = answer.body
    if (answer.status === 201) {
      if (rest.member !== member || rest.amountMsats !== String(amount) || rest.state !== 'given')
        this.faults.push(`${name} of ${amount} for ${member} was answered with ${said(answer)}`)
      this.given.push({ id: String(id), recipient: member, amount })
      this.told.push({ kind: 'reward', key: name, what: `${id} ${member} ${amount}` })
      return
    }
    this.refused.push(name)
    work.isSpent = true
    if (rest.code !== 'key_budget_exceeded') this.faults.push(`${name} was refused with ${said(answer)}`)
    else if (this.#mostSpent(work) + amount <= BigInt(BUDGET_SATS) * A_SAT)
      this.faults.push(`${name} of ${amount} was refused, and at most ${this.#mostSpent(work)} are spent`)
  }

  /** Returns the most that may have been given with a key: the sum of all requests that were not refused. */
  #mostSpent({ requests }: Work): bigint {
    return requests.reduce((sum, { amount, answer }) => ((answer?.status ?? 201) === 201 ? sum + amount : sum), 0n)
  }

  /**
   * Sends an answered request again: the answer must be the same, or a refusal if the repeated request is for another
   * sum with the same Idempotency-Key.
   */
  async #askAgain(work: Work): Promise<void> {
    const before = work.requests.filter(({ answer }) => answer?.status === 201)
    if (before.length === 0 || !this.#chance.happens(ASKS_AGAIN)) return
    const request = this.#chance.one(before)
    const isOther = this.#chance.happens(FOR_ANOTHER_SUM)
    const asked = isOther ? { ...request, amount: request.amount + A_SAT } : request
    const name = `api-key ${work.key.id} ${request.idempotencyKey}, sent again`
    const answer = agreed(await this.#ask(work, asked), name, this.faults)
    this.again += 1
    const isRight = isOther
      ? answer?.body.code === 'idempotency_conflict'
      : JSON.stringify(answer) === JSON.stringify(request.answer)
    if (!isRight) this.faults.push(`${name}${isOther ? ' for more' : ''}, was answered with ${said(answer)}`)
  }

  async #ask({ key }: Work, { idempotencyKey, member, amount }: Request): Promise<readonly HttpAnswer[]> {
    const body = { member, amountMsats: String(amount), reason: 'for a match' }
    const authorization = { authorization: `Bearer ${key.secret}` }
    return await askUntilAnswered({ url: this.#url, authorization, idempotencyKey, body }, this.#chance)
  }
}
