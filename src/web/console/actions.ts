import type { BookingKind, PaymentOutcome } from '../../tipping/tipping.ts'
import type { Console } from './console.ts'
import type { Visitor } from './site.ts'
import type { Key } from './texts.ts'

/** A part of the console that has forms, by its path. */
export type Part = '/console' | '/console/passkeys'

/** Something that an operator does with a form. */
export interface Action {
  /** Whether it needs a sign-in of the last five minutes: it lets money or books move. Then it has a title (`fresh.action`). */
  readonly fresh: boolean
  /** On which part of the console its form is; left out: what needs operators. */
  readonly page?: Part
  /** Does it, for this operator. Resolves to what the next page says. Throws TippingRefusal, and WrongForm. */
  readonly run: (parts: Console, form: URLSearchParams, operator: string, visitor: Visitor) => Promise<Key>
}

/** A form that was not filled in as it must be. */
export class WrongForm extends Error {
  readonly key: Key

  constructor(key: Key) {
    super(key)
    this.key = key
  }
}

/** By the last part of the path that its form is sent to. */
export const ACTIONS: Readonly<Record<string, Action>> = {
  pause: {
    fresh: false,
    async run({ administration }, form, operator) {
      await administration().pause({ operator, reason: mustHave(form, 'reason') })
      return 'said.paused'
    },
  },
  resume: {
    fresh: true,
    async run({ administration }, _form, operator) {
      const still = await administration().resume({ operator })
      return still === undefined ? 'said.resumed' : 'said.still-paused'
    },
  },
  audit: {
    fresh: false,
    async run({ administration }) {
      await administration().audit()
      return 'said.audited'
    },
  },
  decide: {
    fresh: true,
    async run({ administration }, form, operator) {
      const outcome = oneOf<PaymentOutcome>(form, 'outcome', ['paid', 'failed'])
      const [payment, reason] = [mustHave(form, 'payment'), mustHave(form, 'reason')]
      const { state } = await administration().decide({
        payment,
        outcome,
        reason,
        operator,
        amount: may(form, 'amount'),
      })
      return `said.${state}`
    },
  },
  book: {
    fresh: true,
    async run({ administration }, form, operator) {
      const what = oneOf<BookingKind>(form, 'what', ['top-up', 'take-out', 'suspense'])
      const [amount, reason, member] = [mustHave(form, 'amount'), mustHave(form, 'reason'), may(form, 'member')]
      if (member !== undefined && (what !== 'suspense' || !/^\d{17,20}$/.test(member)))
        throw new WrongForm('refused.member')
      const { state } = await administration().book({ what, amount, reason, member, operator })
      return `said.${state}`
    },
  },
  redeliver: {
    fresh: false,
    async run({ administration, redeliver }, _form, operator) {
      if (redeliver === undefined) throw new WrongForm('refused.elsewhere')
      await redeliver()
      await administration().tellOfOperator({ operator, did: 'had the callbacks that were given up delivered again' })
      return 'said.redelivered'
    },
  },
  'passkey-confirm': {
    fresh: true,
    page: '/console/passkeys',
    async run({ passkeys }, form, operator, { session }) {
      const isDone = await passkeys().confirm({ id: mustHave(form, 'passkey'), operator, session })
      if (!isDone) throw new WrongForm('refused.passkey')
      return 'said.passkey-confirmed'
    },
  },
  'passkey-remove': {
    fresh: true,
    page: '/console/passkeys',
    async run({ passkeys }, form, operator, { session }) {
      const isDone = await passkeys().remove({ id: mustHave(form, 'passkey'), operator, session })
      if (!isDone) throw new WrongForm('refused.passkey')
      return 'said.passkey-removed'
    },
  },
  cancel: {
    fresh: false,
    async run({ administration }, form, operator) {
      await administration().cancel({ proposal: mustHave(form, 'proposal'), operator })
      return 'said.cancelled'
    },
  },
}

function may(form: URLSearchParams, name: string): string | undefined {
  return form.get(name)?.trim() || undefined
}

function mustHave(form: URLSearchParams, name: string): string {
  const value = may(form, name)
  if (value === undefined) throw new WrongForm('refused.empty')
  return value
}

function oneOf<Choice extends string>(form: URLSearchParams, name: string, choices: readonly Choice[]): Choice {
  const chosen = choices.find((choice) => choice === form.get(name))
  if (chosen === undefined) throw new WrongForm('refused.empty')
  return chosen
}
