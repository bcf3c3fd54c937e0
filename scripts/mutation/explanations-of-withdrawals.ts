import type { Explained } from './explained.ts'

const FORWARD = 'src/tipping/withdrawals/poll-forward.ts'
const WORDS_FOR_A_DEBUGGER = 'It is caught, and nobody reads its words but in a debugger.'

/** What survives the tests of withdrawals, and why that is well. */
export const OF_WITHDRAWALS: readonly Explained[] = [
  {
    file: FORWARD,
    code: `if (count !== 1) throw new Overtaken(\`what \${member} is due has changed\`)`,
    changes: [`\`what \${member} is due has changed\` => \`\``],
    because: WORDS_FOR_A_DEBUGGER,
  },
  {
    file: 'src/tipping/withdrawals/ask-withdrawal.ts',
    code: "const { member, amount = '', to = '', origin } = command",
    changes: [`'' => "Stryker was here!"`],
    because:
      'It only stands for what was not typed, in a digest that is compared with itself; nobody types these words.',
  },
  {
    file: 'src/tipping/withdrawals/ask-withdrawal.ts',
    code: "{ interaction: origin.interaction, verb: 'withdraw', content: [member, amount, to] },",
    changes: [`'withdraw' => ""`],
    because:
      'The verb only keeps the digests of different commands apart; an interaction belongs to one command, and the rest of its content differs from all others.',
  },
  {
    file: 'src/tipping/withdrawals/withdrawal-kind.ts',
    code: "return { ...shared, invoice: invoice ?? '', ...(carriesAmount ? {} : { amount: amount.toString() }) }",
    changes: [`'' => "Stryker was here!"`],
    because: 'What is no code has an invoice by the time it is reserved; the empty one is there for the compiler.',
  },
  {
    file: 'src/tipping/withdrawals/start-withdrawal.ts',
    code: `if (address.kind !== 'address') throw new Error(\`withdrawal \${withdrawal.id} goes to \${destination}\`)`,
    changes: [`\`withdrawal \${withdrawal.id} goes to \${destination}\` => \`\``],
    because: 'A destination without an invoice is an address; the sentence is for a later change that breaks that.',
  },
  {
    file: 'src/tipping/withdrawals/start-forwarding.ts',
    code: "if (view === undefined) throw new TippingRefusal('not-linked', {})",
    changes: [`'not-linked' => ""`],
    because: 'Only somebody who unlinks between the change and its reading is told this; nothing moves either way.',
  },
]
