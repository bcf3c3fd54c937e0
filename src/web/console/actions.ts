import type { BookingKind, PaymentOutcome } from '../../tipping/tipping.ts'
import { type Action, may, mustHave, oneOf, WrongForm } from './action.ts'
import { PASSKEY_ACTIONS } from './passkey-actions.ts'
import { SERVICE_ACTIONS } from './service-actions.ts'
import { SETTINGS_ACTIONS } from './settings-actions.ts'

/** All actions, by the last part of the path to which their form is sent. */
export const ACTIONS: Readonly<Record<string, Action>> = {
  ...PASSKEY_ACTIONS,
  ...SERVICE_ACTIONS,
  ...SETTINGS_ACTIONS,
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
  cancel: {
    fresh: false,
    async run({ administration }, form, operator) {
      await administration().cancel({ proposal: mustHave(form, 'proposal'), operator })
      return 'said.cancelled'
    },
  },
}
