import type { Explained } from './explained.ts'

const ROOM = 'src/tipping/withdrawals'

const WORDS_FOR_A_DEBUGGER = 'It is caught, and nobody reads its words but in a debugger.'
const SAME_AT_THE_BOUND = 'Where both are the same, it makes no difference which of them is taken.'
const NOTHING_ELSE_IS_THROWN =
  'The reader of the text throws nothing else. Another error would be a mistake of ours, which must not pass for one of the member.'
const ONLY_KEEPS_DIGESTS_APART =
  'The verb only keeps the digests of different commands apart; an interaction belongs to one command, and the rest of its content differs from all others.'
const STORED_TOGETHER =
  'The book demands that an invoice has its payment hash, and the other way round. The second question is for the compiler.'

/** What survives the tests of withdrawals, and why that is well. */
export const OF_WITHDRAWALS: readonly Explained[] = [
  {
    file: `${ROOM}/ask-withdrawal.ts`,
    code: "const { member, amount = '', to = '', origin } = command",
    changes: [`'' => "Stryker was here!"`],
    because:
      'It only stands for what was not typed, in a digest that is compared with itself; nobody types these words.',
  },
  {
    file: `${ROOM}/ask-withdrawal.ts`,
    code: "{ interaction: origin.interaction, verb: 'withdraw', content: [member, amount, to] },",
    changes: [`'withdraw' => ""`],
    because: ONLY_KEEPS_DIGESTS_APART,
  },
  {
    file: `${ROOM}/ask-withdrawal.ts`,
    code: "return destination.kind === 'offer' && destination.name !== undefined ? destination.to : null",
    changes: ["destination.kind === 'offer' => true"],
    because: 'Of what is left by then, only an offer can have a name. The question is for the compiler.',
  },
  {
    file: `${ROOM}/ask-withdrawal.ts`,
    code: "kind === 'invoice' ? destination.invoice.amount : kind === 'offer' ? destination.offer?.amount : undefined",
    changes: ["kind === 'offer' => true"],
    because: 'Nothing else has an offer, so that its amount is undefined either way. The question is for the compiler.',
  },
  {
    file: `${ROOM}/ask-withdrawal.ts`,
    code: 'const smallest = settings.minAmount > sats(1) ? settings.minAmount : sats(1)',
    changes: ['settings.minAmount > sats(1) => settings.minAmount >= sats(1)'],
    because: SAME_AT_THE_BOUND,
  },
  {
    file: `${ROOM}/ask-withdrawal.ts`,
    code: 'const amount = requested > settings.maxAmount ? settings.maxAmount : requested',
    changes: ['requested > settings.maxAmount => requested >= settings.maxAmount'],
    because: SAME_AT_THE_BOUND,
  },
  {
    file: `${ROOM}/ask-withdrawal.ts`,
    code: "case 'request':",
    changes: [`'request' => ""`],
    because: 'A code has no invoice: what falls through the switch is undefined as well.',
  },
  {
    file: `${ROOM}/fetch-offer-invoice.ts`,
    code: 'if (!(error instanceof PaymentsError)) throw error',
    changes: ['!(error instanceof PaymentsError) => false'],
    because:
      'What the provider did not say has none of these codes, and is passed on at the end. The question tells the compiler what it is.',
  },
  {
    file: `${ROOM}/fetch-offer-invoice.ts`,
    code: 'if (error instanceof InvalidInvoice) throw failed(destination)',
    changes: ['error instanceof InvalidInvoice => true'],
    because: NOTHING_ELSE_IS_THROWN,
  },
  {
    file: `${ROOM}/forward-state.ts`,
    code: 'if (count > 0) await scheduleForward(tx, id, now(context))',
    changes: ['count > 0 => true', 'count > 0 => count >= 0'],
    because: 'It only looks once more at what was looked at when the address was changed.',
  },
  {
    file: `${ROOM}/forward-state.ts`,
    code: 'if (!forwarded || destination === null) return',
    changes: ['destination === null => false'],
    because:
      'What sends tips on goes to an address, and the book demands the destination of such a withdrawal. The question is for the compiler.',
  },
  {
    file: `${ROOM}/open-withdrawals.ts`,
    code: 'const whose = member === undefined ? {} : { member }',
    changes: ['member === undefined => false'],
    because: 'Prisma takes a condition whose value is undefined for none.',
  },
  {
    file: `${ROOM}/pay-invoice.ts`,
    code: "{ interaction: origin.interaction, verb: 'pay', content: [about, member] },",
    changes: [`'pay' => ""`],
    because: ONLY_KEEPS_DIGESTS_APART,
  },
  {
    file: `${ROOM}/poll-forward.ts`,
    code: 'if (owner === null || owner.forwardTo === null || owner.forwardDue === 0n) return END',
    changes: [
      'owner === null || owner.forwardTo === null => false',
      'owner === null || owner.forwardTo === null => owner === null && owner.forwardTo === null',
      'owner === null => false',
      'owner.forwardTo === null => false',
    ],
    because:
      'No member is ever removed, and one without an address is due nothing: the last condition ends it as well. The others are for the compiler.',
  },
  {
    file: `${ROOM}/poll-forward.ts`,
    code: 'const budget = msats(spendable < 0n ? 0n : spendable < forwardDue ? spendable : forwardDue)',
    changes: ['spendable < 0n => spendable <= 0n', 'spendable < forwardDue => spendable <= forwardDue'],
    because: SAME_AT_THE_BOUND,
  },
  {
    file: `${ROOM}/poll-forward.ts`,
    code: 'return amounts.reduce((smallest, amount) => (amount < smallest ? amount : smallest))',
    changes: ['amount < smallest => amount <= smallest'],
    because: SAME_AT_THE_BOUND,
  },
  {
    file: `${ROOM}/poll-forward.ts`,
    code: `if (count !== 1) throw new Overtaken(\`what \${member} is due has changed\`)`,
    changes: [`\`what \${member} is due has changed\` => \`\``],
    because: WORDS_FOR_A_DEBUGGER,
  },
  {
    file: `${ROOM}/read-destination.ts`,
    code: '} catch (error) {',
    changes: ['{ if (error instanceof InvalidLnurl) return undefined throw error } => {}'],
    because: NOTHING_ELSE_IS_THROWN,
  },
  {
    file: `${ROOM}/read-destination.ts`,
    code: 'if (error instanceof InvalidLnurl) return undefined',
    changes: ['error instanceof InvalidLnurl => true'],
    because: NOTHING_ELSE_IS_THROWN,
  },
  {
    file: `${ROOM}/read-destination.ts`,
    code: "if (error instanceof InvalidInvoice) throw new TippingRefusal('invoice-unreadable', {})",
    changes: ['error instanceof InvalidInvoice => true'],
    because: NOTHING_ELSE_IS_THROWN,
  },
  {
    file: `${ROOM}/start-forwarding.ts`,
    code: 'if (owner?.forwardTo != null) await scheduleForward(tx, member, now(context))',
    changes: ['owner?.forwardTo => owner.forwardTo'],
    because: 'Who has a link or an address is a member by then. The question is for the compiler.',
  },
  {
    file: `${ROOM}/start-withdrawal.ts`,
    code: 'if (invoice !== null && paymentHash !== null) {',
    changes: [
      'invoice !== null && paymentHash !== null => invoice !== null || paymentHash !== null',
      'invoice !== null => true',
      'paymentHash !== null => true',
    ],
    because: STORED_TOGETHER,
  },
  {
    file: `${ROOM}/start-withdrawal.ts`,
    code: `if (address.kind !== 'address') throw new Error(\`withdrawal \${withdrawal.id} goes to \${destination}\`)`,
    changes: [
      "address.kind !== 'address' => false",
      `\`withdrawal \${withdrawal.id} goes to \${destination}\` => \`\``,
    ],
    because:
      'A destination without an invoice is an address; the sentence is for a later change that breaks that, and the question for the compiler.',
  },
  {
    file: `${ROOM}/withdrawal-kind.ts`,
    code: "nextAfter: (outcome) => (outcome.kind === 'paid' && outcome.fee !== undefined ? END : undefined),",
    changes: ["outcome.kind === 'paid' => true"],
    because: 'Nothing but what was paid has a fee. The question is for the compiler.',
  },
  {
    file: `${ROOM}/withdrawal-kind.ts`,
    code: 'const limit = feeLimit > MIN_MAX_FEE ? feeLimit : MIN_MAX_FEE',
    changes: ['feeLimit > MIN_MAX_FEE => feeLimit >= MIN_MAX_FEE'],
    because: SAME_AT_THE_BOUND,
  },
  {
    file: `${ROOM}/withdrawal-kind.ts`,
    code: 'const carriesAmount = invoice !== null && decodeAnyInvoice(invoice).amount !== undefined',
    changes: ['invoice !== null => true'],
    because: 'What is no code has an invoice by the time it is reserved. The question is for the compiler.',
  },
  {
    file: `${ROOM}/withdrawal-kind.ts`,
    code: "return { ...shared, invoice: invoice ?? '', ...(carriesAmount ? {} : { amount: amount.toString() }) }",
    changes: [`'' => "Stryker was here!"`],
    because: 'What is no code has an invoice by the time it is reserved; the empty one is there for the compiler.',
  },
  {
    file: `${ROOM}/withdrawal-kind.ts`,
    code: "const { invoice = '', amount, maxFee, ...rest } = body",
    changes: [`'' => "Stryker was here!"`],
    because:
      'A code is asked for without an invoice, and anything else has one; the empty one is there for the compiler.',
  },
]
