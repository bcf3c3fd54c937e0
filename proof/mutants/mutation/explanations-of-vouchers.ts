import type { Explained } from './explained.ts'

const CREATE = 'src/tipping/vouchers/create-voucher.ts'
const DECISIONS = 'src/tipping/vouchers/voucher-decisions.ts'
const POLL = 'src/tipping/vouchers/poll-voucher.ts'
const TO_ANY_WALLET = 'src/tipping/vouchers/to-any-wallet.ts'
const VIEW = 'src/tipping/vouchers/view-voucher.ts'
const VOUCHER_KIND = 'src/tipping/vouchers/voucher-kind.ts'

const NOT_ANOTHERS_NAME =
  'The verb only keeps the digests of different commands apart; an interaction belongs to one command, and the rest of its content differs from all others.'
const ENDS_ANYWAY =
  'It bounds how often an amount such as `all` is read again while others take from the same balance; when they stop, it ends by itself, with the same refusal or the same voucher.'
const WORD_FOR_THE_LOG = 'A word for the log beside an error that says where it comes from.'
const FOR_THE_COMPILER = 'It cannot be null or undefined there; the question is for the compiler.'
const BOTH_OR_NEITHER =
  'What wallets claim by and what they get are written together, so one of the two questions is for the compiler.'
const NO_PAUSE = 'Of why a voucher or a redemption failed, only a pause, a wrong code or a used one is asked for.'
const CARD_IS_THERE =
  'The card of a gift or of a share is written with the gift or the share; the other one is for the compiler.'

/** What survives the tests of vouchers, and why that is well. */
export const OF_VOUCHERS: readonly Explained[] = [
  {
    file: CREATE,
    code: "const id = await context.once.perform({ interaction: origin.interaction, verb: 'voucher', content }, (digest) =>",
    changes: [`'voucher' => ""`],
    because: NOT_ANOTHERS_NAME,
  },
  {
    file: 'src/tipping/vouchers/redeem-voucher.ts',
    code: "const id = await context.once.perform({ interaction: origin.interaction, verb: 'redeem', content }, (digest) =>",
    changes: [`'redeem' => ""`],
    because: NOT_ANOTHERS_NAME,
  },
  {
    file: CREATE,
    code: 'for (let attempt = 0; ; attempt += 1) {',
    changes: ['attempt += 1 => attempt -= 1'],
    because: ENDS_ANYWAY,
  },
  {
    file: CREATE,
    code: 'if (isRelative(command.amount) && attempt < 5) continue',
    changes: [
      'isRelative(command.amount) && attempt < 5 => isRelative(command.amount) || attempt < 5',
      'attempt < 5 => true',
      'attempt < 5 => attempt <= 5',
    ],
    because: ENDS_ANYWAY,
  },
  {
    file: CREATE,
    code: 'const smallest = settings.minAmount > sats(1) ? settings.minAmount : sats(1)',
    changes: ['settings.minAmount > sats(1) => settings.minAmount >= sats(1)'],
    because: 'Of two equal amounts either is the larger.',
  },
  {
    file: CREATE,
    code: "const made = context.activity.run('voucher', () => sendReserved(context, VOUCHERS, id))",
    changes: [`'voucher' => ""`],
    because: WORD_FOR_THE_LOG,
  },
  {
    file: 'src/tipping/vouchers/revoke-voucher.ts',
    code: "const polled = context.activity.run('poll voucher', () => pollVoucher(context, job))",
    changes: [`'poll voucher' => ""`],
    because: WORD_FOR_THE_LOG,
  },
  {
    file: 'src/tipping/vouchers/end-revocation.ts',
    code: `if (count !== 1) throw new Overtaken(\`voucher \${id} is over\`)`,
    changes: [`\`voucher \${id} is over\` => \`\``],
    because: 'It is caught, and nobody reads its words but in a debugger.',
  },
  {
    file: POLL,
    code: "const { data } = await context.payments.retrieveVoucher({ voucherId: voucher.voucherId ?? '' })",
    changes: [`'' => "Stryker was here!"`],
    because: FOR_THE_COMPILER,
  },
  {
    file: POLL,
    code: "await context.payments.revokeVoucher({ code: code ?? '' }, { idempotencyKey })",
    changes: [`'' => "Stryker was here!"`],
    because: FOR_THE_COMPILER,
  },
  {
    file: POLL,
    code: 'if (said !== reason) {',
    changes: ['said !== reason => true'],
    because: 'A short cut: what is written already would be written once more.',
  },
  {
    file: POLL,
    code: 'if (context.clock.now() - since.getTime() < ALERT_AFTER_MS) return',
    changes: [
      'context.clock.now() - since.getTime() < ALERT_AFTER_MS => context.clock.now() - since.getTime() <= ALERT_AFTER_MS',
    ],
    because:
      'It only matters in the one millisecond in which the hour ends; the next poll, ten seconds later, tells of it.',
  },
  {
    file: 'src/tipping/vouchers/redemption-kind.ts',
    code: "if (because === 'over') await pollOwnVoucher(context, tx, redemption)",
    changes: [`because === 'over' => true`],
    because: 'A voucher from here would be read sooner than it need be; what is read is the same.',
  },
  {
    file: TO_ANY_WALLET,
    code: 'if (dropId !== null) return (await read.dropClaim.findUnique({ where: { voucherId: id } }))?.card ?? card',
    changes: [
      '(await read.dropClaim.findUnique({ where: { voucherId: id } }))?.card => (await read.dropClaim.findUnique({ where: { voucherId: id } })).card',
    ],
    because: CARD_IS_THERE,
  },
  {
    file: TO_ANY_WALLET,
    code: "return (await read.card.findUnique({ where: { kind_record: { kind: 'voucher-gift', record: id } } }))?.id ?? card",
    changes: [
      "(await read.card.findUnique({ where: { kind_record: { kind: 'voucher-gift', record: id } } }))?.id => (await read.card.findUnique({ where: { kind_record: { kind: 'voucher-gift', record: id } } })).id",
    ],
    because: CARD_IS_THERE,
  },
  {
    file: TO_ANY_WALLET,
    code: 'if (recipient === null) return card',
    changes: ['recipient === null => false'],
    because: 'A short cut: no card tells anybody of a voucher that is no gift, so its own is taken.',
  },
  {
    file: VIEW,
    code: "if (stateOf(voucher) !== 'live' || request === null || walletAmount === null) return undefined",
    changes: ['request === null => false', 'walletAmount === null => false'],
    because: BOTH_OR_NEITHER,
  },
  {
    file: VIEW,
    code: 'default:',
    changes: ['default: return undefined => default:'],
    because: 'A function that ends without a word returns undefined.',
  },
  {
    file: DECISIONS,
    code: "outcome === 'paid' ? { kind: 'paid', made: null, reason } : { kind: 'failed', because: 'refused', reason },",
    changes: [`'refused' => ""`],
    because: NO_PAUSE,
  },
  {
    file: DECISIONS,
    code: ": { kind: 'failed', because: 'failed', reason },",
    changes: [`'failed' => ""`],
    because: NO_PAUSE,
  },
  {
    file: VOUCHER_KIND,
    code: 'held: (client, member) => worthOf(client, { state: { in: OPEN_STATES }, ...(member !== undefined && { member }) }),',
    changes: ['member !== undefined => true'],
    because: 'Prisma takes a condition whose value is undefined for none.',
  },
  {
    file: VOUCHER_KIND,
    code: "return voucher?.revoking ? { kind: 'failed', because: 'called-off', reason: null } : undefined",
    changes: ['voucher?.revoking => voucher.revoking'],
    because: FOR_THE_COMPILER,
  },
  {
    file: 'src/payments-service/vouchers/claim-voucher.ts',
    code: 'if (voucher !== null && voucher.walletAmount !== null) return { ...voucher, walletAmount: voucher.walletAmount }',
    changes: ['voucher.walletAmount !== null => true'],
    because: 'A voucher with a secret has an amount for wallets, too; the question is for the compiler.',
  },
  {
    file: 'src/payments-service/vouchers/voucher-record.ts',
    code: 'if (walletSecret === null || walletAmount === null || redeemedAt !== null || revokedAt !== null) return {}',
    changes: [
      'walletSecret === null || walletAmount === null => walletSecret === null && walletAmount === null',
      'walletSecret === null => false',
      'walletAmount === null => false',
    ],
    because: BOTH_OR_NEITHER,
  },
  {
    file: 'src/payments-service/vouchers/voucher-routes.ts',
    code: "return typeof value === 'string' ? value : ''",
    changes: [`'' => "Stryker was here!"`],
    because: 'Neither is a secret or an invoice, and both are refused in the same words.',
  },
  {
    file: 'src/tipping/vouchers/redeem-voucher.ts',
    code: "orderBy: { createdAt: 'asc' },",
    changes: [`{ createdAt: 'asc' } => {}`],
    because:
      'SQLite finds them by the index of member and time, so in this order anyway. PostgreSQL promises none; it would only name another of three moments at which a member may go on.',
  },
]
