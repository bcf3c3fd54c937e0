import { HttpProblem } from '../../lib/http/http-server.ts'
import { LedgerUnavailable, type RefusalFacts, TippingRefusal } from '../../tipping/tipping.ts'

/**
 * Converts the refusal of a request with a key to an HTTP answer: a stable code, and a sentence with the remedy. No
 * sats have moved.
 */
export function problemOf(error: unknown): unknown {
  if (error instanceof LedgerUnavailable) {
    return new HttpProblem(
      503,
      'unavailable',
      'Nothing can be saved right now. Send the same request again in a minute.',
    )
  }
  if (!(error instanceof TippingRefusal)) return error
  const [status, code, message] = told(error)
  return new HttpProblem(status, code, message)
}

type Told = readonly [status: number, code: string, message: string]

function told({ code, facts }: TippingRefusal): Told {
  switch (code) {
    case 'amount-too-small': {
      const { smallest } = facts as RefusalFacts['amount-too-small']
      return [422, 'amount_too_small', `The smallest amount here is ${smallest} msats. Give at least that.`]
    }
    case 'amount-too-large': {
      const { largest } = facts as RefusalFacts['amount-too-large']
      return [422, 'amount_too_large', `The largest amount here is ${largest} msats. Give at most that.`]
    }
    case 'reason-missing':
      return [400, 'invalid_request', '"reason" must not be empty.']
    case 'text-too-long':
      return [
        400,
        'invalid_request',
        `"reason" may have at most ${(facts as RefusalFacts['text-too-long']).most} characters.`,
      ]
    case 'already-done':
      return [
        409,
        'idempotency_conflict',
        'This Idempotency-Key belongs to another reward. Use a new one for each reward.',
      ]
    case 'not-there':
      return [404, 'reward_not_found', 'No key of this server gave a reward with this id. Check the id.']
    default:
      return ofPeople(code) ?? ofSats(code, facts) ?? [422, 'refused', `The request was refused: ${code}.`]
  }
}

function ofPeople(code: TippingRefusal['code']): Told | undefined {
  switch (code) {
    case 'recipient-not-member':
      return [404, 'member_not_found', 'This person is not a member of the server. Check the Discord id.']
    case 'tip-to-bot':
      return [422, 'recipient_is_bot', 'This member is a bot, and bots get no rewards. Reward a person.']
    case 'recipient-needs-wallet':
      return [
        422,
        'recipient_without_wallet',
        'This member has no wallet here. They can connect one with /wallet in Discord.',
      ]
    case 'blocked':
      return [
        422,
        'recipient_blocked',
        "The server's moderators have excluded this member. Only they can change that: /settings in Discord.",
      ]
    case 'reward-to-self':
      return [
        422,
        'recipient_is_owner',
        'A key cannot reward the moderator who made it. Use a key that another moderator made.',
      ]
    case 'api-key-owner':
      return [
        403,
        'owner_not_allowed',
        'The moderator who made this key may no longer give rewards. Another moderator can make a new key.',
      ]
    case 'api-key-not-found':
      return INVALID_KEY
    default:
      return undefined
  }
}

function ofSats(code: TippingRefusal['code'], facts: TippingRefusal['facts']): Told | undefined {
  switch (code) {
    case 'api-key-budget-spent': {
      const { budget, left } = facts as RefusalFacts['api-key-budget-spent']
      return [
        422,
        'key_budget_exceeded',
        `The key has ${left} msats left of ${budget} in 24 hours. Give less, wait, or have a key made with a larger budget: /api-key create in Discord.`,
      ]
    }
    case 'budget-none': {
      const message =
        'None of the roles of the moderator who made this key has a budget. A manager of the server can give one of them a budget with /pool budget in Discord.'
      return [422, 'owner_without_budget', message]
    }
    case 'budget-exhausted': {
      const { left, until } = facts as RefusalFacts['budget-exhausted']
      const message = `The moderator who made this key has ${left} msats left of their budget until ${until.toISOString()}. Give less, wait, or have it raised: /pool budget in Discord.`
      return [422, 'owner_budget_exceeded', message]
    }
    case 'pool-insufficient': {
      const { balance } = facts as RefusalFacts['pool-insufficient']
      return [422, 'pool_insufficient', `The pool has only ${balance} msats. Fill it with /pool fund in Discord.`]
    }
    case 'server-wallet-restored': {
      const message =
        "The bot's books come from a backup and may lack what the server's wallet has paid since. A moderator must look at that wallet's payments, then disconnect it with /pool balance in Discord and connect it again."
      return [422, 'wallet_restored', message]
    }
    case 'server-wallet-needed':
      return [
        422,
        'wallet_needed',
        'No wallet pays rewards here. A moderator can connect one with /pool balance in Discord.',
      ]
    default:
      return undefined
  }
}

export const INVALID_KEY: Told = [
  401,
  'invalid_key',
  'Send a valid key as "Authorization: Bearer KEY". A moderator can make a key with /api-key create in Discord.',
]
