import type { Explained } from './explained.ts'

const ONLY_UNREAD_MATTERS =
  'Of a deposit, only that it could not be read makes a difference; what was read is polled again at the same pace.'

/** What survives the tests of deposits, and why that is well. */
export const OF_DEPOSITS: readonly Explained[] = [
  {
    file: 'src/tipping/deposits/open-deposit.ts',
    code: 'content: [member, amount, ...(asking === undefined ? [] : [asking.note])],',
    changes: ['[] => ["Stryker was here"]'],
    because: 'It only has to differ from every note that a person types, and nobody types these words.',
  },
  {
    file: 'src/tipping/deposits/poll-deposit.ts',
    code: "if (charge === undefined) return 'refused'",
    changes: [`'refused' => ""`],
    because: ONLY_UNREAD_MATTERS,
  },
  {
    file: 'src/tipping/deposits/poll-deposit.ts',
    code: "return 'credited'",
    changes: [`'credited' => ""`],
    because: ONLY_UNREAD_MATTERS,
  },
  {
    file: 'src/tipping/deposits/view-deposit.ts',
    code: "request: request ?? '',",
    changes: [`'' => "Stryker was here!"`],
    because: 'Only a deposit that is being made or has failed has no code, and those are not shown.',
  },
  {
    file: 'src/tipping/deposits/poll-deposit.ts',
    code: 'if (disabled !== deposit.disabled) {',
    changes: ['disabled !== deposit.disabled => true'],
    because: 'It only spares a write: the row would be written as it is.',
  },
  {
    file: 'src/tipping/deposits/view-deposit.ts',
    code: 'invoice: isPayable && invoice !== null ? invoice : undefined,',
    changes: ['invoice !== null => true'],
    because:
      'An invoice and its end are stored together, and only what has an end can still be paid. The question is for the compiler.',
  },
]
